/// The checksum of the entries of archives.
enum CRC32 {
  /// Returns the CRC-32 of bytes.
  static func checksum(of bytes: [UInt8]) -> Int {
    let sum = bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return Int(~sum)
  }
}
