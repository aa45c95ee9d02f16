extension [UInt8] {
  /// Returns these bytes in a box (ISO/IEC 14496-12, "Object structure").
  func boxed(_ type: String) -> [UInt8] {
    var box: [UInt8] = []
    box.putBigEndian(8 + count)
    return box + Array(type.utf8) + self
  }

  /// Appends the lowest bytes of a number, the highest one first.
  mutating func putBigEndian(_ value: Int, bytes: Int) {
    for shift in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }
}
