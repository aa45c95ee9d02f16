/// The search for a place at which reading photos can continue after invalid JSON.
struct CatalogRecovery {
  /// The result of a search.
  enum Place: Equatable {
    /// The broken photo ends before this offset, according to its brackets.
    case rowEnd(Int)
    /// A photo starts at this offset.
    case rowStart(Int)
    /// There is no such place.
    case nowhere
    /// More bytes are needed to find the place.
    case unknown
  }

  /// The number of bytes after the fault that are searched for the end of the broken photo.
  private static let reach = 1 << 20

  let bytes: UnsafeBufferPointer<UInt8>
  let isLast: Bool

  /// Returns the place at which reading can continue.
  ///
  /// - Parameters:
  ///   - row: The offset at which the broken photo starts, or nil if it is not an object.
  ///   - fault: The offset at which the text stops being JSON.
  func place(row: Int?, fault: Int) -> Place {
    if let row, let place = balancedEnd(of: row, fault: fault) { return place }
    return nextStart(after: fault)
  }

  /// Returns the end of an object according to its brackets, or nil if its quotes or brackets do not match.
  ///
  /// If another object starts where JSON does not allow one, the broken object has no end. The result is then the start
  /// of that other object.
  private func balancedEnd(of row: Int, fault: Int) -> Place? {
    var open: [UInt8] = []
    var previous = UInt8(ascii: ":")
    var offset = row
    while offset < bytes.count {
      guard offset - fault < Self.reach else { return nil }
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = endOfText(from: offset) else { return nil }
        offset = end
      case UInt8(ascii: "{"):
        guard previous == UInt8(ascii: ":") || open.last == UInt8(ascii: "["), previous != UInt8(ascii: "}") else {
          return .rowStart(offset)
        }
        open.append(byte)
      case UInt8(ascii: "["): open.append(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // In ASCII, a closing bracket comes two after its opening bracket.
        guard open.popLast() == byte - 2 else { return nil }
        if open.isEmpty { return .rowEnd(offset + 1) }
      default: break
      }
      offset += 1
      if byte > 0x20 { previous = byte }
    }
    return isLast ? nil : .unknown
  }

  /// Returns the offset of the closing quote, or the end of the bytes if there is none. Returns nil if the line ends
  /// before the quote.
  private func endOfText(from quote: Int) -> Int? {
    var offset = quote + 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      if bytes[offset] < 0x20 { return nil }
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return offset
  }

  /// Returns the start of the next object that begins a line or follows a comma.
  private func nextStart(after fault: Int) -> Place {
    var canStart = false
    for offset in fault..<max(fault, bytes.count) {
      switch bytes[offset] {
      case UInt8(ascii: "{") where canStart: return .rowStart(offset)
      case UInt8(ascii: "\n"), UInt8(ascii: ","): canStart = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: canStart = false
      }
    }
    return isLast || bytes.count - fault > Self.reach ? .nowhere : .unknown
  }
}
