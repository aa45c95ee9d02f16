/// The order in which the bytes of a number are stored.
public enum ByteOrder: Sendable {
  /// The most significant byte comes first.
  case bigEndian
  /// The least significant byte comes first.
  case littleEndian
}

extension ArraySlice<UInt8> {
  /// Returns the number that is stored in these bytes, of which there are at most eight. Only a number of eight bytes can
  /// be negative.
  @inlinable public func number(_ order: ByteOrder) -> Int {
    var value = 0
    switch order {
    case .bigEndian: for index in indices { value = value << 8 | Int(self[index]) }
    case .littleEndian: for index in indices.reversed() { value = value << 8 | Int(self[index]) }
    }
    return value
  }
}
