/// Where the reading of photos goes on after a place that is not JSON.
struct CatalogRecovery {
  enum Place: Equatable {
    /// The broken photo's brackets close before this offset.
    case rowEnd(Int)
    /// A photo starts at this offset.
    case rowStart(Int)
    case nowhere
    /// More of the text is needed to know.
    case unknown
  }

  /// How far behind the fault the end of the broken photo is looked for.
  private static let reach = 1 << 20

  let bytes: UnsafeBufferPointer<UInt8>
  let isLast: Bool

  /// - Parameters:
  ///   - row: Where the broken photo starts, if it is an object.
  ///   - fault: Where it stops being JSON.
  func place(row: Int?, fault: Int) -> Place {
    if let row, let place = balancedEnd(of: row, fault: fault) { return place }
    return nextStart(after: fault)
  }

  /// The end of an object by its brackets alone, or an object that starts where none can, since the one before it has
  /// no end; nil if its quotes or brackets do not match.
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
        // The brackets of each kind are two apart in ASCII.
        guard open.popLast() == byte - 2 else { return nil }
        if open.isEmpty { return .rowEnd(offset + 1) }
      default: break
      }
      offset += 1
      if byte > 0x20 { previous = byte }
    }
    return isLast ? nil : .unknown
  }

  /// The offset of the closing quote, or where the text ends; nil if a line ends before.
  private func endOfText(from quote: Int) -> Int? {
    var offset = quote + 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      if bytes[offset] < 0x20 { return nil }
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return offset
  }

  /// The next object that is the first on its line or behind a comma.
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
