import CZlib

/// A text chunk of a PNG file: a keyword and an uncompressed text (PNG, third edition, 11.3.3).
struct PNGText {
  let keyword: String
  let content: ArraySlice<UInt8>

  /// The longest chunk and the longest uncompressed text that are read, in bytes. A raw profile has two digits for each
  /// byte.
  static let longest = 3 * Container.longestPacket

  /// - Parameters:
  ///   - type: `tEXt`, `zTXt`, or `iTXt`.
  ///   - data: The chunk's data.
  init?(type: String, data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    guard let keyword = reader.text() else { return nil }
    self.keyword = keyword
    switch type {
    case "tEXt": content = reader.rest
    // 0 is the only method of compression.
    case "zTXt" where reader.number(1) == 0: content = Self.inflate(reader.rest)
    case "iTXt":
      guard let flag = reader.number(1), let method = reader.number(1), flag != 1 || method == 0,
        // A language, and the keyword in that language.
        reader.bytesBeforeZero() != nil, reader.bytesBeforeZero() != nil
      else { return nil }
      content = flag == 1 ? Self.inflate(reader.rest) : reader.rest
    default: return nil
    }
  }

  /// A profile that is written as text: its name, its length, and its bytes in hexadecimal digits, as ImageMagick and
  /// exiv2 write them.
  var rawProfile: (name: String, bytes: [UInt8])? {
    let mark = "Raw profile type "
    guard keyword.hasPrefix(mark) else { return nil }
    let lines = content.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3, let count = MetadataText.decode(lines[1]).flatMap({ Int($0) }) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in lines[2] where bytes.count < count {
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue.map(UInt8.init) else { continue }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return (String(keyword.dropFirst(mark.count)).lowercased(), bytes)
  }

  /// Uncompresses zlib's format, up to the first damaged byte.
  private static func inflate(_ packed: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return [] }
    defer { inflateEnd(&stream) }
    var (input, result) = (Array(packed), [UInt8]())
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      var status = Z_OK
      while status == Z_OK, result.count < longest {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { output, count in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          status = CZlib.inflate(&stream, Z_NO_FLUSH)
          count = output.count - Int(stream.avail_out)
        }
        result += piece
      }
    }
    return result[...]
  }
}
