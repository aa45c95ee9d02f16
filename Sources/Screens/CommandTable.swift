import Terminal

/// The keys of all commands, with the words of the help and the footer.
///
/// The table is a value that the gallery's window owns. ``bind(_:to:)`` changes the keys at run time, and every key name
/// on the screen follows, since names are derived from the keys.
struct CommandTable: Sendable {
  /// The rows, in the order of the help. A key that several commands share gives the first that is possible.
  private(set) var bindings: [KeyBinding]

  /// Returns the commands bound to a key, in the order in which a layer is asked for them.
  func commands(for key: Key) -> [Command] {
    bindings.filter { $0.keys.contains(key) || $0.otherKeys.contains(key) }.map(\.command)
  }

  func binding(of command: Command) -> KeyBinding? {
    bindings.first { $0.command == command }
  }

  /// Replaces all keys of a command. Commands that share a key with it keep that key.
  mutating func bind(_ command: Command, to keys: [Key]) {
    guard let index = bindings.firstIndex(where: { $0.command == command }) else { return }
    bindings[index].keys = keys
    bindings[index].otherKeys = []
  }

  /// Returns the name of a command's first key, such as "Esc", or an empty text if the command has no key.
  func keyName(of command: Command) -> String {
    binding(of: command)?.keys.first?.name ?? ""
  }

  /// Returns the sentence that names the key to load something again.
  func reloadHint(to purpose: String = "try again") -> String {
    "Press \(keyName(of: .reload)) to \(purpose)."
  }
}

/// One row of the table: a command with its keys, and the words for it.
struct KeyBinding: Sendable {
  /// The headings of the help.
  enum Section: String, CaseIterable {
    case moving = "Moving"
    case photos = "Photos"
    case choosing = "Choosing"
    case viewer = "Viewer"
    case rooms = "Rooms"
    case windows = "Windows"
  }

  let command: Command
  /// The keys, in the order in which the help names them.
  fileprivate(set) var keys: [Key]
  /// Further keys, which the help does not name.
  fileprivate(set) var otherKeys: [Key]
  let section: Section
  let help: String
  /// The label in the footer; nil for a command that is never shown there.
  let label: String?
  /// The command that shares this one's hint in the footer, with its own key.
  let partner: Command?

  /// The names of the keys, as the help shows them.
  var keyNames: String { keys.map(\.name).joined(separator: " ") }

  fileprivate init(
    _ command: Command, _ keys: [Key], also otherKeys: [Key] = [], _ section: Section, _ help: String,
    label: String? = nil, with partner: Command? = nil
  ) {
    self.command = command
    self.keys = keys
    self.otherKeys = otherKeys
    self.section = section
    self.help = help
    self.label = label
    self.partner = partner
  }
}

extension CommandTable {
  /// The table of a program that has no configuration.
  static let standard = CommandTable(bindings: [
    KeyBinding(.moveUp, [Key(.up), "k"], .moving, "Up one", label: "Move", with: .moveDown),
    KeyBinding(.moveDown, [Key(.down), "j"], .moving, "Down one"),
    KeyBinding(.moveLeft, [Key(.left), "h"], .moving, "Left, in a grid or a large image"),
    KeyBinding(.moveRight, [Key(.right), "l"], .moving, "Right"),
    KeyBinding(.halfPageUp, [.control("u")], .moving, "Up half a page"),
    KeyBinding(.halfPageDown, [.control("d")], .moving, "Down half a page"),
    KeyBinding(.pageUp, [Key(.pageUp), .control("b")], .moving, "Up a page"),
    KeyBinding(.pageDown, [Key(.pageDown), .control("f")], .moving, "Down a page"),
    KeyBinding(.moveToFirst, [Key(.home), "g"], .moving, "To the first"),
    KeyBinding(.moveToLast, [Key(.end), "G"], .moving, "To the last"),

    KeyBinding(
      .press, [Key(.enter), Key(.right), "l"], .photos,
      "Open a photo that is for sale; in other rooms what is highlighted", label: "Open"),
    KeyBinding(.view, ["v"], .photos, "View the photo, for sale or not", label: "View"),
    KeyBinding(.contactSheet, ["c"], .photos, "Contact sheet: a grid of images", label: "Sheet"),
    KeyBinding(.toggleRows, ["t"], .photos, "Rows of one line or three", label: "Rows"),
    KeyBinding(.reload, ["r"], .photos, "Load again", label: "Reload"),
    KeyBinding(.stopLoading, [Key(.escape)], .photos, "Stop loading", label: "Stop"),
    KeyBinding(
      .search, ["/"], .photos, "Search photos or covers; Tab keeps the whole list, Esc ends it", label: "Search"),
    KeyBinding(.nextFound, ["n"], .photos, "To the next that was found"),
    KeyBinding(.previousFound, ["N"], .photos, "To the one found before"),
    KeyBinding(.sort, ["S"], .photos, "Sort by date, name, camera, rating or size", label: "Sort"),
    KeyBinding(.showProblems, ["!"], .photos, "What of the source could not be read", label: "Problems"),

    KeyBinding(.mark, [" "], .choosing, "Mark the photo, or no longer, and move on", label: "Mark"),
    KeyBinding(.markRange, ["V"], .choosing, "Begin a range of marks; once more to end it"),
    KeyBinding(.markAll, ["*"], .choosing, "Mark all that are listed, or none of them"),
    KeyBinding(
      .openOutside, ["o"], .choosing, "Open what is marked, or highlighted, in the default app", label: "Open in app"),
    KeyBinding(.copyPlace, ["y"], .choosing, "Copy their paths or addresses", label: "Copy path"),
    KeyBinding(.export, ["e"], .choosing, "Write them as a catalog", label: "Save list…"),

    KeyBinding(.follow, ["f"], .rooms, "Wall: follow a member, or no longer", label: "Follow"),
    KeyBinding(.putInBasket, ["b"], .rooms, "Prints: put one in the basket", label: "Basket"),
    KeyBinding(.takeOutOfBasket, ["B"], .rooms, "Prints: take one out again", label: "Take out"),
    KeyBinding(.photosRoom, ["1"], .rooms, "Photos"),
    KeyBinding(.wallRoom, ["2"], .rooms, "Wall"),
    KeyBinding(.printsRoom, ["3"], .rooms, "Prints"),
    KeyBinding(.coversRoom, ["4"], .rooms, "Covers"),
    KeyBinding(.guestbookRoom, ["5"], .rooms, "Guestbook"),
    KeyBinding(.previousRoom, ["["], .rooms, "The room before"),
    KeyBinding(.nextRoom, ["]"], .rooms, "The room behind"),
    KeyBinding(.signIn, ["u"], .rooms, "Sign in"),

    KeyBinding(
      .nextPhoto, ["n", Key(.pageDown)], also: [.control("f")], .viewer, "The next photo", label: "Next"),
    KeyBinding(
      .previousPhoto, ["p", Key(.pageUp)], also: [.control("b")], .viewer, "The previous photo", label: "Previous"),
    KeyBinding(.zoomIn, ["+"], also: ["="], .viewer, "Larger (also in the contact sheet)", label: "Larger"),
    KeyBinding(.zoomOut, ["-"], also: ["_"], .viewer, "Smaller", label: "Smaller"),
    KeyBinding(.zoomToFit, ["0"], .viewer, "All of it", label: "Fit"),
    KeyBinding(.zoomToFull, ["1"], .viewer, "A pixel of the image for one of the screen"),
    KeyBinding(.slideshow, ["s"], .viewer, "Slideshow", label: "Slideshow"),
    KeyBinding(.toggleInfo, ["i"], .viewer, "What is known of the photo", label: "Info"),

    KeyBinding(
      .switchWindow, [Key(.tab)], also: [Key(.tab, .shift)], .windows, "To the other window", label: "Details"),
    KeyBinding(.confirm, [Key(.enter), " ", Key(.escape)], .windows, "Close an alert", label: "Ok"),
    KeyBinding(.close, [Key(.escape), "q"], .windows, "Close, go back", label: "Back"),
    KeyBinding(.help, ["?", Key(.function(1))], .windows, "Show the keys, or hide them", label: "Keys"),
    KeyBinding(.redraw, [.control("l")], .windows, "Draw the screen anew"),
    KeyBinding(.quit, ["q"], .windows, "Quit", label: "Quit"),
  ])
}
