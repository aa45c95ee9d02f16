import Foundation

/// The addresses that only the user may name: this machine, its networks, and addresses that are not routed.
enum PrivateNetwork {
  /// Whether a numeric address is private.
  ///
  /// - Parameter address: An IPv4 or IPv6 address, with or without brackets. Any other text is not private.
  static func contains(_ address: String) -> Bool {
    // A zone ("%eth0") names one of this machine's networks.
    let number = String(address.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" })
    var four = in_addr()
    if inet_pton(AF_INET, number, &four) == 1 { return isPrivate(UInt32(bigEndian: four.s_addr)) }
    var six = in6_addr()
    guard inet_pton(AF_INET6, number, &six) == 1 else { return false }
    return isPrivate(withUnsafeBytes(of: six) { [UInt8]($0) })
  }

  /// Whether an address of a system call is private.
  ///
  /// - Parameter address: An IPv4 or IPv6 address (`sockaddr_in`, `sockaddr_in6`). Any other family counts as private,
  ///   since it can't lead to the public internet.
  static func contains(_ address: UnsafeRawPointer, family: Int32) -> Bool {
    switch family {
    case AF_INET:
      isPrivate(UInt32(bigEndian: address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
    case AF_INET6:
      isPrivate(withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { [UInt8]($0) })
    default: true
    }
  }

  /// Whether an IPv4 address is in a private network of IANA's registry of special-purpose addresses.
  private static func isPrivate(_ address: UInt32) -> Bool {
    let networks: [(UInt32, Int)] = [
      (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
      (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
    ]
    return networks.contains { address >> (32 - $0.1) == $0.0 >> (32 - $0.1) }
  }

  /// Whether an IPv6 address is in a private network of IANA's registry of special-purpose addresses.
  private static func isPrivate(_ bytes: [UInt8]) -> Bool {
    let last = bytes[12...].reduce(0) { $0 << 8 | UInt32($1) }
    // These contain an IPv4 address: compatible (with :: and ::1), mapped and NAT64 ones.
    if bytes[..<10].allSatisfy({ $0 == 0 }), [[0, 0], [0xFF, 0xFF]].contains(Array(bytes[10..<12])) {
      return isPrivate(last)
    }
    if bytes[..<12].elementsEqual([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPrivate(last) }
    // Addresses that a network translates for itself (RFC 8215).
    if bytes[..<6].elementsEqual([0x00, 0x64, 0xFF, 0x9B, 0, 1]) { return true }
    // 6to4 addresses contain one after their prefix.
    if bytes[0] == 0x20, bytes[1] == 0x02 { return isPrivate(bytes[2..<6].reduce(0) { $0 << 8 | UInt32($1) }) }
    // Unique local, link-local, site-local and multicast addresses.
    return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0x80 != 0 || bytes[0] == 0xFF
  }
}
