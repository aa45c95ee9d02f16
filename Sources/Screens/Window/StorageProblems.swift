/// The reasons why changes are lost, and what the user has been told of them.
///
/// Photos can be looked at without storing anything. So an alert waits until the user enters another room, or changes something about
/// photos and expects that to be kept.
struct StorageProblems {
  private var texts: [String] = []
  /// The number of the first texts that the last alert has, or 0 if no alert is open.
  private var shownCount = 0
  private var wasShown = false
  /// Whether one of them is about something that a user expects to be kept of photos.
  private var concernPhotos = false
  /// Whether the user has changed something about photos, as by a mark or a rating.
  var hasChangedPhotos = false

  /// Whether the user is to see them also in the room of the photos.
  var concernUser: Bool { hasChangedPhotos && concernPhotos }

  /// - Parameter concernsPhotos: Whether a user who changes something about photos expects it to be kept.
  mutating func add(_ text: String, concernsPhotos: Bool) {
    texts.append(text)
    concernPhotos = concernPhotos || concernsPhotos
  }

  /// Returns the text of the alert that is to be shown now, or nil for none. It grows until the user closes it. After that, problems
  /// are shown only if they concern the user.
  mutating func takeAlert(isOpen: Bool) -> String? {
    if !isOpen {
      texts.removeFirst(shownCount)
      shownCount = 0
    }
    guard shownCount < texts.count, !wasShown || isOpen || concernUser else { return nil }
    shownCount = texts.count
    wasShown = true
    return texts.joined(separator: "\n\n")
  }
}
