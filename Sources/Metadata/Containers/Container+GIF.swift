// GIF (CompuServe, "Graphics Interchange Format", version 89a).
extension Container {
  /// Reads the size and the frames. The blocks of a large file are not read to the end, and its frames have no known times then.
  mutating func readGIF(_ file: ImageFile) {
    func number(_ offset: Int, _ count: Int) -> Int { file.number(at: offset, count: count, .littleEndian) }
    size = (number(6, 2), number(8, 2))
    var offset = 13 + Self.tableSize(number(10, 1))
    var left = Self.mostParts
    while left > 0 {
      switch number(offset, 1) {
      // An image, whose data are blocks behind the size of their codes.
      case 0x2C:
        frames.count += 1
        offset += 11 + Self.tableSize(number(offset + 9, 1))
      // An extension, of which that of a frame has its delay in hundredths of a second.
      case 0x21:
        if number(offset + 1, 1) == 0xF9 { frames.seconds += Double(number(offset + 4, 2)) / 100 }
        offset += 2
      case 0x3B: return
      default:
        frames.seconds = 0
        return
      }
      offset = Self.end(ofBlocksAt: offset, in: file, left: &left)
    }
    frames.seconds = 0
  }

  /// Returns the size in bytes of a table of colors, by the field that announces it.
  private static func tableSize(_ field: Int) -> Int { field & 0x80 == 0 ? 0 : 6 << (field & 7) }

  /// Returns the place behind the blocks of an image or of an extension, each of which has its size in a byte.
  ///
  /// - Parameter left: The number of blocks that may still be read.
  private static func end(ofBlocksAt start: Int, in file: ImageFile, left: inout Int) -> Int {
    var offset = start
    while left > 0, case let count = file.number(at: offset, count: 1, .littleEndian), count > 0 {
      offset += 1 + count
      left -= 1
    }
    left -= 1
    return offset + 1
  }
}
