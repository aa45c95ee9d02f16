import Gallery
import Store

extension [StepJournal.Part] {
  /// Returns the parts in batches of about a number of photos.
  ///
  /// Photos that may share a sidecar are in the same batch, wherever they are: if one of them was planned after the sidecar is
  /// written, a rotation would be applied to it twice.
  func batches(of count: Int) -> [[StepJournal.Part]] {
    var batches: [[StepJournal.Part]] = []
    var places: [ArraySlice<UInt8>: Int] = [:]
    for part in self {
      if batches.last.map({ $0.count >= count }) ?? true { batches.append([]) }
      let place = places[part.photo.withoutExtension] ?? batches.count - 1
      places[part.photo.withoutExtension] = place
      batches[place].append(part)
    }
    return batches
  }
}

extension ImageLocation {
  /// The bytes without the extension of the name, by which files with the same beginning, such as a sidecar, are found.
  fileprivate var withoutExtension: ArraySlice<UInt8> {
    let bytes = bytes
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
      dot > slash + 1
    else { return bytes[...] }
    return bytes[..<dot]
  }
}
