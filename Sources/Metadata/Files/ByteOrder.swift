/// The order in which the bytes of a number are stored.
public enum ByteOrder: Sendable {
  /// The most significant byte comes first.
  case bigEndian
  /// The least significant byte comes first.
  case littleEndian
}

extension BidirectionalCollection<UInt8> {
  /// Returns the number that is stored in these bytes, of which there are at most eight. Only a number of eight bytes can
  /// be negative.
  @inlinable public func number(_ order: ByteOrder) -> Int {
    switch order {
    case .bigEndian: reduce(0) { $0 << 8 | Int($1) }
    case .littleEndian: reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
