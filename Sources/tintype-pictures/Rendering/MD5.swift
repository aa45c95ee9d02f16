#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The checksum after which thumbnails are named (RFC 1321).
enum MD5 {
  /// The distances by which each of the four rounds rotates, in turn.
  private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
  private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  /// Returns the checksum in hexadecimal digits.
  static func checksum(of message: [UInt8]) -> String {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + word * 4 + $1]) << UInt32($1 * 8) }
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      for step in 0..<64 {
        let (mixed, word) =
          switch step / 16 {
          case 0: (b & c | ~b & d, step)
          case 1: (d & b | ~d & c, step * 5 + 1)
          case 2: (b ^ c ^ d, step * 3 + 5)
          default: (c ^ (b | ~d), step * 7)
          }
        let sum = a &+ mixed &+ sines[step] &+ words[word % 16]
        let distance = rotations[step / 16][step % 4]
        (a, b, c, d) = (d, b &+ (sum << distance | sum >> (32 - distance)), b, c)
      }
      for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }
    let digits = Array("0123456789abcdef")
    return String(state.flatMap { word in (0..<8).map { digits[Int(word >> UInt32(($0 ^ 1) * 4) & 0xF)] } })
  }
}
