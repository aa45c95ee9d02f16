import Gallery
import Terminal

/// The commands that keys, hints of the footer and clicks give. Each has a row in the table below, with its keys and its
/// words, and an ``Action`` in each layer that carries it out.
enum Command: CaseIterable, Sendable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, goTo, moveToFirst, moveToLast
  case press, view, cull, otherFile, toggleStack, toggleStacks, compare, contactSheet, toggleRows, reload, stopLoading
  case nextPhoto, previousPhoto, zoomIn, zoomOut, zoom, zoomToFill, rotate
  case goToFocus, focusPeaking, clipping
  case keep, rejectBeaten, nextPane, nextCandidate, previousCandidate, changePanes, unlink
  case slideshow, pauseSlideshow, shuffle, toggleInfo, toggleTitle
  case follow, putInBasket, takeOutOfBasket, search, nextFound, previousFound, sort, showProblems
  case savedSearches, saveSearch, removeSearch
  case mark, markRange, markAll, openOutside, copyPlace, export
  case rateNone, rateOne, rateTwo, rateThree, rateFour, rateFive, reject
  case label, labelRed, labelYellow, labelGreen, labelBlue, keywords, caption, undo, undoSession, redo, toggleAdvance
  case photosRoom, wallRoom, printsRoom, coversRoom, guestbookRoom, nextRoom, previousRoom, signIn
  case switchWindow, confirm, close, help, palette, redraw, quit
}

extension Command {
  /// The command's name in a configuration, such as "move-up".
  var name: String {
    String(describing: self).reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}

extension CommandTable {
  /// The table of a program that has no configuration.
  static let standard = CommandTable(bindings: [
    KeyBinding(.moveUp, [Key(.up), "k"], .moving, "Move up", label: "Move", with: .moveDown),
    KeyBinding(.moveDown, [Key(.down), "j"], .moving, "Move down"),
    KeyBinding(.moveLeft, [Key(.left), "h"], .moving, "Move left"),
    KeyBinding(.moveRight, [Key(.right), "l"], .moving, "Move right"),
    KeyBinding(.halfPageUp, [.control("u")], .moving, "Up half a page"),
    KeyBinding(.halfPageDown, [.control("d")], .moving, "Down half a page"),
    KeyBinding(.pageUp, [Key(.pageUp), .control("b")], .moving, "Up a page"),
    KeyBinding(.pageDown, [Key(.pageDown), .control("f")], .moving, "Down a page"),
    KeyBinding(.goTo, ["g"], .moving, "Go to a room", label: "Go to"),
    // In a popup, one letter is enough.
    KeyBinding(.moveToFirst, [Key(.home)], also: ["g"], goTo: "g", .moving, "Go to first", label: "First"),
    KeyBinding(.moveToLast, [Key(.end), "G"], .moving, "Go to last"),

    KeyBinding(.press, [Key(.enter), Key(.right), "l"], .photos, "Open highlighted row", label: "Open"),
    KeyBinding(.view, ["v"], .photos, "View full-screen", label: "View"),
    KeyBinding(.cull, ["Q"], .photos, "Cull listed photos", label: "Cull"),
    KeyBinding(.otherFile, [Key(.tab)], .photos, "Show the other file", label: "File"),
    KeyBinding(.toggleStack, ["s"], .photos, "Toggle the stack", label: "Stack"),
    KeyBinding(.toggleStacks, ["W"], .photos, "Toggle stacks", label: "Stacks"),
    KeyBinding(.compare, ["C"], .photos, "Compare photos", label: "Compare"),
    KeyBinding(.contactSheet, ["c"], .photos, "Toggle contact sheet", label: "Sheet"),
    KeyBinding(.toggleRows, ["t"], .photos, "Change row size", label: "Rows"),
    KeyBinding(.reload, ["r"], .photos, "Reload and retry", label: "Reload"),
    KeyBinding(.stopLoading, [Key(.escape)], .photos, "Stop loading", label: "Stop"),
    KeyBinding(.search, ["/"], .photos, "Start a search", label: "Search"),
    KeyBinding(.nextFound, ["n"], .photos, "Next match"),
    KeyBinding(.previousFound, ["N"], .photos, "Previous match"),
    KeyBinding(.savedSearches, ["'"], .photos, "Show saved searches", label: "Searches"),
    KeyBinding(.saveSearch, [.control("s")], .photos, "Save the search", label: "Save"),
    KeyBinding(.removeSearch, [Key(.delete)], .photos, "Remove saved search", label: "Remove"),
    KeyBinding(.sort, ["S"], .photos, "Sort photos", label: "Sort"),
    KeyBinding(.showProblems, ["!"], .photos, "Show problems", label: "Problems"),

    KeyBinding(.mark, [" "], .marking, "Mark or unmark", label: "Mark"),
    KeyBinding(.markRange, ["V"], .marking, "Mark a range", label: "Range"),
    KeyBinding(.markAll, ["*"], .marking, "Mark all or none"),
    KeyBinding(.openOutside, ["o"], .marking, "Open in default app", label: "Open in app"),
    KeyBinding(.copyPlace, ["y"], .marking, "Copy path or address", label: "Copy path"),
    KeyBinding(.export, ["e"], .marking, "Save as catalog", label: "Save…"),

    KeyBinding(.follow, ["f"], .rooms, "Follow a member", label: "Follow"),
    KeyBinding(.putInBasket, ["b"], .rooms, "Add print to basket", label: "Add to basket"),
    KeyBinding(.takeOutOfBasket, ["B"], .rooms, "Remove from basket", label: "Take out"),
    KeyBinding(.photosRoom, goTo: "p", .rooms, "Go to Photos", label: "Photos"),
    KeyBinding(.wallRoom, goTo: "w", .rooms, "Go to Wall", label: "Wall"),
    KeyBinding(.printsRoom, goTo: "r", .rooms, "Go to Prints", label: "Prints"),
    KeyBinding(.coversRoom, goTo: "c", .rooms, "Go to Covers", label: "Covers"),
    KeyBinding(.guestbookRoom, goTo: "b", .rooms, "Go to Guestbook", label: "Guestbook"),
    KeyBinding(.previousRoom, ["["], .rooms, "Previous room"),
    KeyBinding(.nextRoom, ["]"], .rooms, "Next room"),
    KeyBinding(.signIn, ["u"], .rooms, "Sign the guestbook"),

    KeyBinding(
      .nextPhoto, ["n", Key(.right), Key(.pageDown)], also: ["l", .control("f")], .viewer, "Next photo", label: "Next"),
    KeyBinding(
      .previousPhoto, ["p", Key(.left), Key(.pageUp)], also: ["h", .control("b")], .viewer, "Previous photo",
      label: "Previous"),
    KeyBinding(.zoomIn, ["+"], also: ["="], .viewer, "Zoom in", label: "Larger"),
    KeyBinding(.zoomOut, ["-"], also: ["_"], .viewer, "Zoom out", label: "Smaller"),
    KeyBinding(.zoom, ["z"], .viewer, "Zoom to actual size", label: "Zoom"),
    KeyBinding(.zoomToFill, ["Z"], .viewer, "Zoom to fill"),
    KeyBinding(.rotate, ["R"], .viewer, "Rotate clockwise", label: "Rotate"),
    KeyBinding(.goToFocus, ["f"], .viewer, "Go to focus point", label: "Focus"),
    KeyBinding(.focusPeaking, ["F"], .viewer, "Toggle focus peaking", label: "Peaking"),
    KeyBinding(.clipping, ["O"], .viewer, "Toggle clipping", label: "Clipping"),
    KeyBinding(.slideshow, ["s"], .viewer, "Toggle slideshow", label: "Slideshow"),
    KeyBinding(.pauseSlideshow, ["P"], .viewer, "Pause slideshow", label: "Pause"),
    KeyBinding(.shuffle, ["S"], .viewer, "Shuffle slideshow", label: "Shuffle"),
    KeyBinding(.toggleInfo, ["i"], .viewer, "Toggle photo info", label: "Info"),
    KeyBinding(.toggleTitle, ["t"], .viewer, "Hide or show text", label: "Text"),

    KeyBinding(.keep, [Key(.enter)], .comparison, "Keep the photo", label: "Keep"),
    KeyBinding(.rejectBeaten, ["x"], .comparison, "Reject beaten photos", label: "Reject beaten"),
    KeyBinding(.nextPane, [Key(.tab)], .comparison, "Go to next pane", label: "Next pane"),
    KeyBinding(.nextCandidate, ["n", Key(.pageDown)], .comparison, "Next candidate", label: "Next"),
    KeyBinding(.previousCandidate, ["p", Key(.pageUp)], .comparison, "Previous candidate", label: "Previous"),
    KeyBinding(.changePanes, ["C"], .comparison, "Change pane count", label: "Panes"),
    KeyBinding(.unlink, ["u"], .comparison, "Unlink the photos", label: "Unlink"),

    KeyBinding(.rateOne, ["1"], .rating, "Rate 1 star", through: .rateFive, "Rate 1 to 5 stars"),
    KeyBinding(.rateTwo, ["2"], .rating, "Rate 2 stars"),
    KeyBinding(.rateThree, ["3"], .rating, "Rate 3 stars"),
    KeyBinding(.rateFour, ["4"], .rating, "Rate 4 stars"),
    KeyBinding(.rateFive, ["5"], .rating, "Rate 5 stars"),
    KeyBinding(.rateNone, ["0"], .rating, "Remove the stars"),
    KeyBinding(.reject, ["X"], .rating, "Reject or accept", label: "Reject"),
    KeyBinding(.label, ["L"], .rating, "Choose a label", label: "Label"),
    KeyBinding(.labelRed, [Key(.function(6))], .rating, "Label red", through: .labelBlue, "Label with a color"),
    KeyBinding(.labelYellow, [Key(.function(7))], .rating, "Label yellow"),
    KeyBinding(.labelGreen, [Key(.function(8))], .rating, "Label green"),
    KeyBinding(.labelBlue, [Key(.function(9))], .rating, "Label blue"),
    KeyBinding(.keywords, ["K"], .rating, "Edit keywords", label: "Keywords"),
    KeyBinding(.caption, ["T"], .rating, "Edit the caption", label: "Caption"),
    KeyBinding(.undo, ["U"], .rating, "Undo the last step", label: "Undo"),
    KeyBinding(.undoSession, [.control("x")], .rating, "Undo the session"),
    KeyBinding(.redo, [.control("r")], .rating, "Redo the step"),
    KeyBinding(.toggleAdvance, ["A"], .rating, "Toggle auto-advance"),

    KeyBinding(
      .switchWindow, [Key(.tab)], also: [Key(.tab, .shift)], .general, "Switch window", label: "Details"),
    KeyBinding(.confirm, [Key(.enter), " "], also: [Key(.escape)], .general, "Close an alert", label: "Ok"),
    KeyBinding(.close, [Key(.escape), "q"], .general, "Close or go back", label: "Back"),
    KeyBinding(.help, ["?", Key(.function(1))], .general, "Show all keys", label: "Help"),
    KeyBinding(.palette, [":"], .general, "Run a command"),
    KeyBinding(.redraw, [.control("l")], .general, "Redraw screen"),
    KeyBinding(.quit, ["q"], .general, "Quit Tintype", label: "Quit"),
  ])
}
