import CZlib

/// A text chunk of a PNG file: a keyword and what it says, unpacked (PNG, third edition, 11.3.3).
struct PNGText {
  let keyword: String
  let content: ArraySlice<UInt8>

  /// In bytes; no chunk and no unpacked text is read beyond that. Raw profiles write each byte as two digits.
  static let longest = 3 * Container.longestPacket

  /// - Parameters:
  ///   - type: `tEXt`, `zTXt`, or `iTXt`.
  ///   - data: The chunk's data.
  init?(type: String, data: ArraySlice<UInt8>) {
    var rest = data
    guard let keyword = Self.takeText(&rest) else { return nil }
    self.keyword = String(decoding: keyword, as: UTF8.self)
    switch type {
    case "tEXt": content = rest
    // The only method of compression is 0.
    case "zTXt" where rest.first == 0: content = Self.inflate(rest.dropFirst())
    case "iTXt" where rest.count > 2:
      let (isPacked, method) = (rest.removeFirst() == 1, rest.removeFirst())
      // A language, and the keyword in that language.
      guard method == 0 || !isPacked, Self.takeText(&rest) != nil, Self.takeText(&rest) != nil else { return nil }
      content = isPacked ? Self.inflate(rest) : rest
    default: return nil
    }
  }

  /// A profile that ImageMagick and exiv2 write as text: its name, its length, and its bytes in hexadecimal digits.
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

  /// Takes what stands before the next zero byte, and that; nil if there is none.
  private static func takeText(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// Unpacks zlib's format as far as it is whole.
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
