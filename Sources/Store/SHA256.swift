import CSystem

/// A SHA-256 digest (FIPS 180-4), which names a content uniquely.
public struct SHA256 {
  private var state = start
  private var rest: [UInt8] = []
  private var size: UInt64 = 0

  /// The state at the beginning (section 5.3.3).
  static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// Creates the digest of no bytes.
  public init() {}

  /// Returns the digest of a text, in lower-case hexadecimal digits.
  public static func name(_ text: String) -> String {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    return hash.finish()
  }

  /// Adds bytes to the content.
  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Adds bytes to the content.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    size += UInt64(bytes.count)
    let missing = rest.isEmpty ? 0 : min(64 - rest.count, bytes.count)
    rest += bytes[..<missing]
    if rest.count == 64 {
      let block = rest
      rest = []
      block.withUnsafeBytes { add($0) }
    }
    let whole = missing + (bytes.count - missing) / 64 * 64
    add(UnsafeRawBufferPointer(rebasing: bytes[missing..<whole]))
    rest += bytes[whole...]
  }

  /// Returns the digest in lower-case hexadecimal digits.
  public consuming func finish() -> String {
    let bits = size * 8
    update([0x80] + [UInt8](repeating: 0, count: (119 - rest.count) % 64))
    update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
    let digits = Array("0123456789abcdef")
    return String(state.flatMap { word in (0..<8).map { digits[Int(word >> (28 - 4 * $0) & 15)] } })
  }

  /// Adds whole blocks, with the processor's own instructions if it has them.
  private mutating func add(_ blocks: UnsafeRawBufferPointer) {
    if add_sha256_blocks(&state, Self.constants, blocks.baseAddress, blocks.count / 64) != 0 { return }
    Self.add(blocks, to: &state)
  }

  /// Section 6.2.2.
  static func add(_ blocks: UnsafeRawBufferPointer, to state: inout [UInt32]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      for start in stride(from: 0, to: blocks.count, by: 64) {
        for t in 0..<16 {
          w[t] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * t, as: UInt32.self))
        }
        for t in 16..<64 {
          let small0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3
          let small1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10
          w[t] = small1 &+ w[t - 7] &+ small0 &+ w[t - 16]
        }
        addRounds(w, to: &state)
      }
    }
  }

  private static func addRounds(_ w: UnsafeMutableBufferPointer<UInt32>, to state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice &+ constants[t] &+ w[t]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ second
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

  /// The constants of section 4.2.2.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
