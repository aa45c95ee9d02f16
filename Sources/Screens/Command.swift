import Terminal

/// What a key can do. Every key, every line of the help and every hint of the footer comes from ``Binding/table``.
enum Command: CaseIterable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, moveToFirst, moveToLast
  case press, view, contactSheet, toggleRows, reload, stopLoading
  case nextPhoto, previousPhoto, zoomIn, zoomOut, zoomToFit, zoomToFull, slideshow, toggleInfo
  case follow, putInBasket, takeOutOfBasket, search, nextFound, previousFound, sort, showProblems
  case mark, markRange, markAll, openOutside, copyPlace, export
  case photosRoom, wallRoom, printsRoom, coversRoom, guestbookRoom, nextRoom, previousRoom, signIn
  case switchWindow, confirm, close, help, redraw, quit
}

/// Whether a command can be given now.
enum Availability: Equatable {
  case available
  /// Its key belongs to this layer, which has nothing to do it with: why, in one sentence.
  case unavailable(String)
  /// The layer has no such command.
  case absent
}

/// A command with its keys, and the words for it.
struct Binding {
  enum Section: String, CaseIterable {
    case moving = "Moving"
    case photos = "Photos"
    case choosing = "Choosing"
    case viewer = "Viewer"
    case rooms = "Rooms"
    case windows = "Windows"
  }

  let command: Command
  let keys: [Key]
  /// The keys as the help names them.
  let keyNames: String
  let section: Section
  let help: String
  /// The key and the word of the footer, where it shows there.
  let hint: (key: String, label: String)?

  /// The commands bound to `key`, in the order in which a layer is asked for them.
  static func commands(for key: Key) -> [Command] {
    table.filter { $0.keys.contains(key) }.map(\.command)
  }

  static func binding(of command: Command) -> Binding? {
    table.first { $0.command == command }
  }

  /// What the user can do where something is not loaded.
  static func reloadHint(to purpose: String = "try again") -> String {
    "Press \(binding(of: .reload)?.keyNames ?? "") to \(purpose)."
  }

  static let table: [Binding] = [
    Binding(
      .moveUp, [Key(.up), "k"], "↑ k", .moving, "Up one", hint: ("↑↓", "Move")),
    Binding(.moveDown, [Key(.down), "j"], "↓ j", .moving, "Down one"),
    Binding(.moveLeft, [Key(.left), "h"], "← h", .moving, "Left, in a grid or a large image"),
    Binding(.moveRight, [Key(.right), "l"], "→ l", .moving, "Right"),
    Binding(.halfPageUp, [.control("u")], "Ctrl-u", .moving, "Up half a page"),
    Binding(.halfPageDown, [.control("d")], "Ctrl-d", .moving, "Down half a page"),
    Binding(.pageUp, [Key(.pageUp), .control("b")], "PgUp Ctrl-b", .moving, "Up a page"),
    Binding(.pageDown, [Key(.pageDown), .control("f")], "PgDn Ctrl-f", .moving, "Down a page"),
    Binding(.moveToFirst, [Key(.home), "g"], "Home g", .moving, "To the first"),
    Binding(.moveToLast, [Key(.end), "G"], "End G", .moving, "To the last"),

    Binding(
      .press, [Key(.enter), Key(.right), "l"], "Enter → l", .photos,
      "Open a photo that is for sale; in other rooms what is highlighted",
      hint: ("Enter", "Open")),
    Binding(.view, ["v"], "v", .photos, "View the photo, for sale or not", hint: ("v", "View")),
    Binding(.contactSheet, ["c"], "c", .photos, "Contact sheet: a grid of images", hint: ("c", "Sheet")),
    Binding(.toggleRows, ["t"], "t", .photos, "Rows of one line or three", hint: ("t", "Rows")),
    Binding(.reload, ["r"], "r", .photos, "Load again", hint: ("r", "Reload")),
    Binding(.stopLoading, [Key(.escape)], "Esc", .photos, "Stop loading", hint: ("Esc", "Stop")),
    Binding(
      .search, ["/"], "/", .photos, "Search photos or covers; Tab keeps the whole list, Esc ends it",
      hint: ("/", "Search")),
    Binding(.nextFound, ["n"], "n", .photos, "To the next that was found"),
    Binding(.previousFound, ["N"], "N", .photos, "To the one found before"),
    Binding(.sort, ["S"], "S", .photos, "Sort by date, name, camera, rating or size", hint: ("S", "Sort")),
    Binding(.showProblems, ["!"], "!", .photos, "What of the source could not be read", hint: ("!", "Problems")),

    Binding(.mark, [" "], "Space", .choosing, "Mark the photo, or no longer, and move on", hint: ("Space", "Mark")),
    Binding(.markRange, ["V"], "V", .choosing, "Begin a range of marks; once more to end it"),
    Binding(.markAll, ["*"], "*", .choosing, "Mark all that are listed, or none of them"),
    Binding(
      .openOutside, ["o"], "o", .choosing, "Open what is marked, or highlighted, in the default app",
      hint: ("o", "Open in app")),
    Binding(.copyPlace, ["y"], "y", .choosing, "Copy their paths or addresses", hint: ("y", "Copy path")),
    Binding(.export, ["e"], "e", .choosing, "Write them as a catalog", hint: ("e", "Save list…")),

    Binding(.follow, ["f"], "f", .rooms, "Wall: follow a member, or no longer", hint: ("f", "Follow")),
    Binding(.putInBasket, ["b"], "b", .rooms, "Prints: put one in the basket", hint: ("b", "Basket")),
    Binding(.takeOutOfBasket, ["B"], "B", .rooms, "Prints: take one out again", hint: ("B", "Take out")),
    Binding(.photosRoom, ["1"], "1", .rooms, "Photos"),
    Binding(.wallRoom, ["2"], "2", .rooms, "Wall"),
    Binding(.printsRoom, ["3"], "3", .rooms, "Prints"),
    Binding(.coversRoom, ["4"], "4", .rooms, "Covers"),
    Binding(.guestbookRoom, ["5"], "5", .rooms, "Guestbook"),
    Binding(.previousRoom, ["["], "[", .rooms, "The room before"),
    Binding(.nextRoom, ["]"], "]", .rooms, "The room behind"),
    Binding(.signIn, ["u"], "u", .rooms, "Sign in"),

    Binding(.nextPhoto, ["n"], "n PgDn", .viewer, "The next photo", hint: ("n", "Next")),
    Binding(.previousPhoto, ["p"], "p PgUp", .viewer, "The previous photo", hint: ("p", "Previous")),
    Binding(.zoomIn, ["+", "="], "+", .viewer, "Larger (also in the contact sheet)", hint: ("+", "Larger")),
    Binding(.zoomOut, ["-", "_"], "-", .viewer, "Smaller", hint: ("-", "Smaller")),
    Binding(.zoomToFit, ["0"], "0", .viewer, "All of it", hint: ("0", "Fit")),
    Binding(.zoomToFull, ["1"], "1", .viewer, "A pixel of the image for one of the screen"),
    Binding(.slideshow, ["s"], "s", .viewer, "Slideshow", hint: ("s", "Slideshow")),
    Binding(.toggleInfo, ["i"], "i", .viewer, "What is known of the photo", hint: ("i", "Info")),

    Binding(
      .switchWindow, [Key(.tab), Key(.tab, .shift)], "Tab", .windows, "To the other window", hint: ("Tab", "Details")),
    Binding(
      .confirm, [Key(.enter), " ", Key(.escape)], "Enter Space Esc", .windows, "Close an alert", hint: ("Enter", "Ok")),
    Binding(.close, [Key(.escape), "q"], "Esc q", .windows, "Close, go back", hint: ("Esc", "Back")),
    Binding(.help, ["?", Key(.function(1))], "? F1", .windows, "Show the keys, or hide them", hint: ("?", "Keys")),
    Binding(.redraw, [.control("l")], "Ctrl-l", .windows, "Draw the screen anew"),
    Binding(.quit, ["q"], "q", .windows, "Quit", hint: ("q", "Quit")),
  ]

  private init(
    _ command: Command, _ keys: [Key], _ keyNames: String, _ section: Section, _ help: String,
    hint: (key: String, label: String)? = nil
  ) {
    self.command = command
    self.keys = keys
    self.keyNames = keyNames
    self.section = section
    self.help = help
    self.hint = hint
  }
}
