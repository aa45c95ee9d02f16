import Gallery
import Services

extension Step {
  /// Returns a note about a step that was undone or made again.
  func note(_ verb: String) -> String {
    let note = "\(verb): \(title)"
    return missing.isEmpty ? note : localized("\(note) · no longer there: \(missing.count.photosText)")
  }

  /// The sentence that the photos are no longer there, or nil if all are. A step without a title is one of an earlier session.
  var missingText: String? {
    guard let first = missing.first, !title.isEmpty else { return nil }
    return missing.count == 1
      ? localized("\(first.file?.printableName ?? first.printable) is no longer there. Nothing was changed.")
      : localized("\(missing.count.photosText) are no longer there. Nothing was changed.")
  }
}
