import Gallery

/// The words of the page for a browser, in the language of the interface at the time when they are made.
public struct SheetWords: Hashable, Sendable {
  let language = localized("en", context: "code of this language in HTML, such as de or zh-Hant")
  let sheet = localized("Contact sheet")
  let mark = localized("Mark")
  let marked = localized("Marked:")
  let onlyMarked = localized("Only marked")
  let copyList = localized("Copy list")
  let list = localized("Names of the marked photos")
  let copied = localized("Copied. Paste the names into an email, for example.")
  let manual = localized("The browser does not allow copying. Select the names and copy them.")
  let done = localized("Done")
  let keys = localized("Arrows: move · Enter: large view · M: mark · Esc: back")
  let largeView = localized("Large view")
  let previous = localized("Previous")
  let next = localized("Next")
  let close = localized("Close")
  let noScript = localized("Without JavaScript, photos can't be marked here.")
  private let starCounts = (1...5).map { localized("\($0) star", plural: "\($0) stars", count: $0) }

  /// Makes the words.
  public init() {}

  /// Returns the number of stars in words.
  func stars(_ count: Int) -> String { starCounts[count - 1] }

  /// Returns what a button does that shows a photo large.
  func open(_ name: String) -> String { "\(largeView): \(name)" }

  /// Returns what a button does that marks a photo.
  func mark(_ name: String) -> String { "\(mark): \(name)" }
}
