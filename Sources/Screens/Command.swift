import Terminal

/// The commands that keys, hints of the footer and clicks give. Each has a row in the table below, with its keys and its
/// words, and an ``Action`` in each layer that carries it out.
enum Command: CaseIterable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, moveToFirst, moveToLast
  case press, view, contactSheet, toggleRows, reload, stopLoading
  case nextPhoto, previousPhoto, zoomIn, zoomOut, zoomToFit, zoomToFull, slideshow, toggleInfo
  case follow, putInBasket, takeOutOfBasket, search, nextFound, previousFound, sort, showProblems
  case mark, markRange, markAll, openOutside, copyPlace, export
  case photosRoom, wallRoom, printsRoom, coversRoom, guestbookRoom, nextRoom, previousRoom, signIn
  case switchWindow, confirm, close, help, redraw, quit
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
    KeyBinding(.search, ["/"], .photos, label: "Search") {
      let (tab, escape) = ($0.keyName(of: .switchWindow), $0.keyName(of: .close))
      return "Search photos or covers; \(tab) keeps the whole list, \(escape) ends it"
    },
    KeyBinding(.nextFound, ["n"], .photos, "To the next that was found"),
    KeyBinding(.previousFound, ["N"], .photos, "To the one found before"),
    KeyBinding(.sort, ["S"], .photos, "Sort by date, name, camera, rating or size", label: "Sort"),
    KeyBinding(.showProblems, ["!"], .photos, "Show what could not be read", label: "Problems"),

    KeyBinding(.mark, [" "], .choosing, "Mark or unmark the photo, and move on", label: "Mark"),
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
    KeyBinding(.zoomToFit, ["0"], .viewer, "All of it. Until then the next photos are zoomed too", label: "Fit"),
    KeyBinding(.zoomToFull, ["1"], .viewer, "A pixel of the image for one of the screen"),
    KeyBinding(.slideshow, ["s"], .viewer, "Slideshow", label: "Slideshow"),
    KeyBinding(.toggleInfo, ["i"], .viewer, "What is known of the photo", label: "Info"),

    KeyBinding(
      .switchWindow, [Key(.tab)], also: [Key(.tab, .shift)], .windows, "To the other window", label: "Details"),
    KeyBinding(.confirm, [Key(.enter), " ", Key(.escape)], .windows, "Close an alert", label: "Ok"),
    KeyBinding(.close, [Key(.escape), "q"], .windows, "Close, go back", label: "Back"),
    KeyBinding(.help, ["?", Key(.function(1))], .windows, "Show the keys, or hide them", label: "Keys"),
    KeyBinding(.redraw, [.control("l")], .windows, "Redraw the screen"),
    KeyBinding(.quit, ["q"], .windows, "Quit", label: "Quit"),
  ])
}
