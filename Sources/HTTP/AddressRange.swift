import Foundation

/// A range of numeric addresses, such as `10.0.0.0/8` or `fd00::/8`.
struct AddressRange: Hashable, Sendable {
  private let start: [UInt8]
  private let bits: Int

  /// Returns nil if the text is no address with a slash and a number of bits.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Self.bytes(of: String(parts[0])), let bits = Int(parts[1]),
      (0...start.count * 8).contains(bits)
    else { return nil }
    self.start = start
    self.bits = bits
  }

  /// Returns whether an address is in the range. A name is not.
  func contains(_ address: String) -> Bool {
    guard let bytes = Self.bytes(of: address), bytes.count == start.count else { return false }
    return (0..<bits).allSatisfy { (bytes[$0 / 8] ^ start[$0 / 8]) & (0x80 >> ($0 % 8)) == 0 }
  }

  private static func bytes(of address: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return withUnsafeBytes(of: four) { [UInt8]($0) } }
    var six = in6_addr()
    return inet_pton(AF_INET6, address, &six) == 1 ? withUnsafeBytes(of: six) { [UInt8]($0) } : nil
  }
}
