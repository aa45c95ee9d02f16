import TestLimit
import Testing

@testable import Store

@Suite(.limited) struct SHA256Tests {
  @Test func bytesMayArriveInAnyPieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
    var whole = SHA256()
    whole.update(bytes)
    let digest = whole.finish()
    for size in [1, 3, 63, 64, 65, 127, 200] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) { hash.update(Array(bytes[start...].prefix(size))) }
      #expect(hash.finish() == digest, "\(size)")
    }
  }

  /// The first example of FIPS 180-4, padded as section 5.1.1 says.
  @Test func processorsWithoutInstructionsForItFindTheSame() {
    let block = Array("abc".utf8) + [0x80] + [UInt8](repeating: 0, count: 59) + [24]
    var state = SHA256.start
    block.withUnsafeBytes { SHA256.add($0, to: &state) }
    #expect(
      state == [
        0xba78_16bf, 0x8f01_cfea, 0x4141_40de, 0x5dae_2223, 0xb003_61a3, 0x9617_7a9c, 0xb410_ff61, 0xf200_15ad,
      ])
  }
}
