/// The size that a BigTIFF gives. A BigTIFF is a TIFF whose offsets have eight bytes (libtiff, "BigTIFF design").
enum BigTIFF {
  /// The first bytes of a file with little-endian numbers.
  static let littleEndianHead: [UInt8] = [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]
  /// The first bytes of a file with big-endian numbers.
  static let bigEndianHead: [UInt8] = [0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]

  private static let mostEntries = 512
  private static let entryCount = 20

  /// Whether a file is a BigTIFF.
  static func isHead(of file: any ByteSource) -> Bool {
    let head = file.bytes(at: 0, count: 8)
    return head.elementsEqual(littleEndianHead) || head.elementsEqual(bigEndianHead)
  }

  /// Returns the size of the file's first image, upright, or zeros if it is not known.
  static func size(of file: ImageFile) -> (width: Int, height: Int) {
    let order: ByteOrder = file.bytes(at: 0, count: 1).first == bigEndianHead[0] ? .bigEndian : .littleEndian
    func number(at offset: Int, count: Int) -> Int { file.number(at: offset, count: count, order) }
    var (size, orientation) = ((width: 0, height: 0), 1)
    let directory = number(at: 8, count: 8)
    guard directory > 0, directory < file.size else { return size }
    for index in 0..<max(0, min(number(at: directory, count: 8), mostEntries)) {
      let entry = directory + 8 + index * entryCount
      // A size is of type SHORT, LONG, or LONG8.
      guard let count = [3: 2, 4: 4, 16: 8][number(at: entry + 2, count: 2)] else { continue }
      switch number(at: entry, count: 2) {
      case 0x0100: size.width = number(at: entry + 12, count: count)
      case 0x0101: size.height = number(at: entry + 12, count: count)
      case 0x0112: orientation = number(at: entry + 12, count: count)
      default: break
      }
    }
    return (5...8).contains(orientation) ? (size.height, size.width) : size
  }
}
