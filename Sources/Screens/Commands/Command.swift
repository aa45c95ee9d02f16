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
