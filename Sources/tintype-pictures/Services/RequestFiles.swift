#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The open files of a request, as descriptors.
struct RequestFiles {
  /// The photo. ``ImageFile`` closes it.
  var photo: Int32
  /// An empty file in memory for what is unpacked, if the photo is an archive; nil if the request is not about one.
  var memory: Int32?
  /// The cached thumbnails of the photo by their size, the smallest first; nil for a size that there is none of.
  var thumbnails: [Int32?] = []
  /// The file that is written: one that passes pixels to the terminal, an export or a sheet; nil if there is none.
  var output: Int32?

  /// Closes all files.
  func closeAll() {
    close(photo)
    closeOthers()
  }

  /// Closes all files but the photo.
  func closeOthers() {
    for file in thumbnails + [output, memory] { if let file { close(file) } }
  }
}

// Descriptors are passed in the order of the properties. The bits of a byte say which ones are passed.
extension RequestFiles {
  private static let (memoryBit, outputBit) = (6, 7)

  /// The descriptors that are passed.
  var descriptors: [Int32] { [photo] + (thumbnails + [memory, output]).compactMap { $0 } }

  /// The bits of the descriptors that follow the photo.
  var bits: UInt8 {
    let bits = thumbnails.enumerated().reduce(0) { $1.element == nil ? $0 : $0 | 1 << $1.offset }
    return UInt8(bits | (memory == nil ? 0 : 1 << Self.memoryBit) | (output == nil ? 0 : 1 << Self.outputBit))
  }

  /// Returns nil if there are fewer descriptors than bits say.
  init?(_ descriptors: [Int32], bits: UInt8) {
    var rest = descriptors[...]
    guard descriptors.count == 1 + bits.nonzeroBitCount, let photo = rest.popFirst() else { return nil }
    self.photo = photo
    thumbnails = (0..<Self.memoryBit).map { bits >> $0 & 1 == 0 ? nil : rest.popFirst() }
    memory = bits >> Self.memoryBit & 1 == 0 ? nil : rest.popFirst()
    output = rest.popFirst()
  }
}
