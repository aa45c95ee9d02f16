import Terminal

/// The commands that keys, hints of the footer and clicks give. Each has a row in the table below, with its keys and its
/// words, and an ``Action`` in each layer that carries it out.
enum Command: CaseIterable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, goTo, moveToFirst, moveToLast
  case press, view, contactSheet, toggleRows, reload, stopLoading
  case nextPhoto, previousPhoto, zoomIn, zoomOut, zoom, zoomToFill, slideshow, toggleInfo
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
    KeyBinding(.moveLeft, [Key(.left), "h"], .moving, "Left"),
    KeyBinding(.moveRight, [Key(.right), "l"], .moving, "Right"),
    KeyBinding(.halfPageUp, [.control("u")], .moving, "Up half a page"),
    KeyBinding(.halfPageDown, [.control("d")], .moving, "Down half a page"),
    KeyBinding(.pageUp, [Key(.pageUp), .control("b")], .moving, "Up a page"),
    KeyBinding(.pageDown, [Key(.pageDown), .control("f")], .moving, "Down a page"),
    KeyBinding(.goTo, ["g"], .moving, "Go to a room", label: "Go to"),
    // In a popup, one letter is enough.
    KeyBinding(.moveToFirst, [Key(.home)], also: ["g"], goTo: "g", .moving, "First"),
    KeyBinding(.moveToLast, [Key(.end), "G"], .moving, "Last"),

    KeyBinding(
      .press, [Key(.enter), Key(.right), "l"], .photos,
      "Open", label: "Open"),
    KeyBinding(.view, ["v"], .photos, "View full-screen", label: "View"),
    KeyBinding(.contactSheet, ["c"], .photos, "Contact sheet", label: "Sheet"),
    KeyBinding(.toggleRows, ["t"], .photos, "Toggle compact rows", label: "Rows"),
    KeyBinding(.reload, ["r"], .photos, "Reload", label: "Reload"),
    KeyBinding(.stopLoading, [Key(.escape)], .photos, "Stop loading", label: "Stop"),
    KeyBinding(.search, ["/"], .photos, label: "Search") {
      let (tab, escape) = ($0.keyName(of: .switchWindow), $0.keyName(of: .close))
      return "Search photos or covers; \(tab) keeps the whole list, \(escape) ends it"
    },
    KeyBinding(.nextFound, ["n"], .photos, "Next match"),
    KeyBinding(.previousFound, ["N"], .photos, "Previous match"),
    KeyBinding(.sort, ["S"], .photos, "Sort by date, name, camera, rating or size", label: "Sort"),
    KeyBinding(.showProblems, ["!"], .photos, "Show files that could not be read", label: "Problems"),

    KeyBinding(.mark, [" "], .choosing, "Mark or unmark, then move down", label: "Mark"),
    KeyBinding(.markRange, ["V"], .choosing, "Start or end a marked range"),
    KeyBinding(.markAll, ["*"], .choosing, "Mark all / unmark all"),
    KeyBinding(
      .openOutside, ["o"], .choosing, "Open in the default app", label: "Open in app"),
    KeyBinding(.copyPlace, ["y"], .choosing, "Copy paths or addresses", label: "Copy path"),
    KeyBinding(.export, ["e"], .choosing, "Save as a catalog", label: "Save list…"),

    KeyBinding(.follow, ["f"], .rooms, "Wall: follow / unfollow", label: "Follow"),
    KeyBinding(.putInBasket, ["b"], .rooms, "Prints: add one to the basket", label: "Basket"),
    KeyBinding(.takeOutOfBasket, ["B"], .rooms, "Prints: take one out", label: "Take out"),
    KeyBinding(.photosRoom, goTo: "p", .rooms, "Photos"),
    KeyBinding(.wallRoom, goTo: "w", .rooms, "Wall"),
    KeyBinding(.printsRoom, goTo: "r", .rooms, "Prints"),
    KeyBinding(.coversRoom, goTo: "c", .rooms, "Covers"),
    KeyBinding(.guestbookRoom, goTo: "b", .rooms, "Guestbook"),
    KeyBinding(.previousRoom, ["["], .rooms, "Previous room"),
    KeyBinding(.nextRoom, ["]"], .rooms, "Next room"),
    KeyBinding(.signIn, ["u"], .rooms, "Sign the guestbook"),

    KeyBinding(
      .nextPhoto, ["n", Key(.pageDown)], also: [.control("f")], .viewer, "Next photo", label: "Next"),
    KeyBinding(
      .previousPhoto, ["p", Key(.pageUp)], also: [.control("b")], .viewer, "Previous photo", label: "Previous"),
    KeyBinding(.zoomIn, ["+"], also: ["="], .viewer, "Zoom in, larger tiles", label: "Larger"),
    KeyBinding(.zoomOut, ["-"], also: ["_"], .viewer, "Zoom out, smaller tiles", label: "Smaller"),
    KeyBinding(.zoom, ["z"], .viewer, "Actual size (100 %), or fit to window", label: "Zoom"),
    KeyBinding(.zoomToFill, ["Z"], .viewer, "Fill window, crop tiles"),
    KeyBinding(.slideshow, ["s"], .viewer, "Slideshow", label: "Slideshow"),
    KeyBinding(.toggleInfo, ["i"], .viewer, "Photo info", label: "Info"),

    KeyBinding(
      .switchWindow, [Key(.tab)], also: [Key(.tab, .shift)], .windows, "Other window", label: "Details"),
    KeyBinding(.confirm, [Key(.enter), " ", Key(.escape)], .windows, "Close an alert", label: "Ok"),
    KeyBinding(.close, [Key(.escape), "q"], .windows, "Close, go back", label: "Back"),
    KeyBinding(.help, ["?", Key(.function(1))], .windows, "Show or hide this help", label: "Help"),
    KeyBinding(.redraw, [.control("l")], .windows, "Redraw the screen"),
    KeyBinding(.quit, ["q"], .windows, "Quit", label: "Quit"),
  ])
}
