/// The commands that keys, hints of the footer and clicks give. ``CommandTable`` has their keys and their words.
enum Command: CaseIterable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, moveToFirst, moveToLast
  case press, view, contactSheet, toggleRows, reload, stopLoading
  case nextPhoto, previousPhoto, zoomIn, zoomOut, zoomToFit, zoomToFull, slideshow, toggleInfo
  case follow, putInBasket, takeOutOfBasket, search, nextFound, previousFound, sort, showProblems
  case mark, markRange, markAll, openOutside, copyPlace, export
  case photosRoom, wallRoom, printsRoom, coversRoom, guestbookRoom, nextRoom, previousRoom, signIn
  case switchWindow, confirm, close, help, redraw, quit
}
