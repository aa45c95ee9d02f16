import Foundation
import Harness
import TestPhotos
import Testing

/// A state of the program at the moment of a signal, of the terminal's end, or of another trouble.
struct Moment: CustomTestStringConvertible {
  let name: String
  var arguments = ["--delay", "0", "--pictures", "none"]
  /// The photos of the tests that are in a folder and on a card next to it; none for the bundled gallery.
  var photos: [String] = []
  /// The text to wait for before the keys are typed.
  var text = "1/36"
  /// The keys, each with the text to wait for after them; an empty text if the moment follows the keys immediately.
  var ways: [(keys: String, text: String)] = []
  var resizes = false
  var testDescription: String { name }

  init(
    _ name: String, arguments: [String]? = nil, text: String = "1/36", keys: String = "", then: String = "",
    resizes: Bool = false
  ) {
    self.name = name
    self.text = text
    self.resizes = resizes
    if let arguments { self.arguments = arguments }
    if !keys.isEmpty { ways = [(keys, then)] }
  }

  /// Returns a moment in a folder of photos.
  static func inFolder(
    _ name: String, of photos: [String] = stills, _ ways: (keys: String, text: String)..., pictures: String = "none"
  ) -> Moment {
    var moment = Moment(name, arguments: ["--pictures", pictures], text: "1/\(photos.count)")
    moment.photos = photos
    moment.ways = ways
    return moment
  }

  private static let stills = ["chelsea.jpg", "coffee.jpg", "rocket.jpg"]

  static let all =
    inTheGallery + [
      .inFolder("a cull", ("Q", "1 of 3")), .inFolder("deciding in a cull", ("Q", "1 of 3"), ("24", "")),
      .inFolder("the summary of a cull", ("Q", "1 of 3"), ("2X3", "2 picked · 1 rejected")),
      .inFolder("a comparison", ("*C", "Keep as best"), pictures: "symbols"),
      .inFolder("the form of an export", ("*E", "Export 3 photos")),
      .inFolder("an export", ("*E", "Export 3 photos"), ("1", "Export 3 photos to"), ("\u{15}~/new\r", "")),
      .inFolder("the form of an import", ("I", "Import from a card")),
      .inFolder(
        "an import", ("I", "Import from a card"), ("\u{15}~/card\u{1B}[B\u{15}~/new\r", "New: 3 photos"), ("y", "")),
      .inFolder("a film", of: ["film.mp4"], ("vp", "▶ 0:0"), pictures: "symbols"),
      .inFolder("an animation", of: ["colors.apng"], ("v", "Esc Back"), pictures: "symbols"),
      .inFolder("a new collection", ("*&Best\r", "")),
      .inFolder("the collections", ("*&Best\r", "Done: Add 3 photos to Best"), ("gk", "─ Collections ─")),
      .inFolder("the calendar", ("gt", "Backspace")), Moment("the map", keys: "gm", then: "km wide"),
      .inFolder("photos to the trash", ("*D", "Move to the trash"), ("y", "")),
    ]

  private static let inTheGallery = [
    Moment("at the start", text: ""),
    Moment("loading", arguments: ["--delay", "3600", "--pictures", "none"], text: "Loading"), Moment("the list"),
    Moment("moving", keys: "jjjj"), Moment("at the end", keys: "G", then: "36/36"),
    Moment("the help", keys: "?", then: "contact sheet"), Moment("the help, opening", keys: "?"),
    Moment("the viewer", keys: "v", then: "Dune in the wind"), Moment("the viewer, opening", keys: "v"),
    Moment("a photo's details", keys: "j\r"), Moment("the search field", keys: "/a"),
    Moment("an alert", arguments: ["--pictures", "none", "/dev/null"], text: "Can't load photos"),
    Moment(
      "an alert, closing", arguments: ["--pictures", "none", "/dev/null"], text: "Can't load photos", keys: "\r"),
    Moment("the wall", arguments: ["--delay", "0", "--pictures", "none", "--room", "wall"], text: "Wall"),
    Moment("the prints", arguments: ["--delay", "0", "--pictures", "none", "--room", "prints"], text: "Prints"),
    Moment(
      "the guestbook", arguments: ["--delay", "0", "--pictures", "none", "--room", "guestbook"], text: "Guestbook",
      keys: "abc"),
    Moment("images of characters", arguments: ["--delay", "0", "--pictures", "symbols"]),
    Moment("in the middle of sixels", arguments: ["--delay", "0", "--pictures", "sixel"], keys: "v"),
    Moment("in the middle of a key", keys: "\u{1B}["), Moment("resizing", resizes: true),
  ]

  static let size = Size(columns: 100, rows: 30)

  /// The text that the screen shows at this moment; nil if it comes with later frames only.
  var shownText: String? {
    let text = ways.last?.text ?? text
    return text.isEmpty ? nil : text
  }

  /// Starts the program, and leads it to this moment.
  /// - Parameter home: What ``makeHome()`` has made; nil to make one if it is needed.
  func enter(home: URL? = nil) async throws -> TerminalSession {
    var (environment, arguments) = (Program.environment, arguments)
    if !photos.isEmpty {
      let home = try home ?? makeHome()
      for (name, value) in Program.changes(home: home) { environment[name] = value }
      arguments.append(home.appending(path: "photos").path)
    }
    let session = try TerminalSession(Program.path, arguments, size: Self.size, environment: environment)
    // Output means that the program handles signals; before that it has not changed the terminal.
    try await session.waitForOutput("a beginning") { !$0.isEmpty }
    if !text.isEmpty { try await session.waitForText(text) }
    for (keys, text) in ways {
      session.type(keys)
      if !text.isEmpty { try await session.waitForText(text) }
    }
    if resizes { for columns in 40...60 { session.resize(to: Size(columns: columns, rows: columns / 2)) } }
    return session
  }

  /// Makes a home folder with the photos in `photos`, and on a card in `card`.
  func makeHome() throws -> URL {
    let home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(home)
    for place in ["photos", "card/DCIM/100CANON"] {
      let folder = home.appending(path: place)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in photos {
        try FileManager.default.copyItem(atPath: TestPhotos.path(name), toPath: folder.appending(path: name).path)
      }
    }
    return home
  }
}
