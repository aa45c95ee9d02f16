import Foundation
import Gallery

/// A folder or a photo on another machine, as the user names it.
public struct RemoteAddress: Hashable, Sendable {
  /// The machine by the name that ssh knows, with the user before it and the port behind it if they are given, such as
  /// `alice@nas:2222`.
  public let machine: String
  /// The user and the host, without the port.
  private let host: String
  private let port: String?
  /// The path there, relative to the user's own folder unless it begins with a slash; empty for that folder.
  public let path: [UInt8]

  /// Parses `host:path`, `user@host:path` or `ssh://user@host:port/path`; returns nil for another text.
  ///
  /// A path of the first two forms is relative to the user's own folder unless it begins with a slash. In the third form, the
  /// path `/~/` leads there.
  public init?(_ text: some Collection<UInt8>) {
    let bytes = Array(text)
    let scheme = Array("ssh://".utf8)
    if bytes.starts(with: scheme) {
      let rest = bytes.dropFirst(scheme.count)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      let place = String(decoding: rest[..<end], as: UTF8.self)
      let colon = place.lastIndex(of: ":").flatMap { place[$0...].contains("]") ? nil : $0 }
      port = colon.map { String(place[place.index(after: $0)...]) }
      host = String(place[..<(colon ?? place.endIndex)])
      machine = place
      let home = Array("/~".utf8)
      let path = Array(rest[end...])
      let isInHome = path.starts(with: home) && (path.count == 2 || path[2] == UInt8(ascii: "/"))
      self.path = isInHome ? Array(path.dropFirst(3)) : path
      if let port, !(1...65_535).contains(Int(port) ?? 0) { return nil }
    } else {
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      host = String(decoding: bytes[..<colon], as: UTF8.self)
      machine = host
      port = nil
      path = Array(bytes[(colon + 1)...])
      // An address of the web, or a path with a colon in it.
      if path.starts(with: Array("//".utf8)) { return nil }
    }
    // ssh would take a name that begins with a hyphen for an option.
    guard !host.isEmpty, host.first != "-", host.printable == host, !host.contains(where: { "/ '\"\\".contains($0) })
    else { return nil }
  }

  /// Creates the address of a folder on a machine that has been named before.
  public init?(_ folder: FilePath) {
    guard let (machine, path) = folder.remote else { return nil }
    self.init(Array("ssh://\(machine)".utf8) + path.bytes)
  }

  /// The command of the shell that starts ssh.
  public static var sshCommand: String { ProcessInfo.processInfo.environment["TINTYPE_SSH_COMMAND"] ?? "ssh" }

  /// The options of ssh for the machine.
  public var sshOptions: [String] { port.map { ["-p", $0] } ?? [] }
  /// The machine by the name that ssh knows, with the user before it if one is given.
  public var sshHost: String { host.filter { $0 != "[" && $0 != "]" } }

  /// The text that names the address again.
  public var text: [UInt8] {
    let scheme = port == nil ? "" : "ssh://"
    let start = port == nil ? [UInt8(ascii: ":")] : path.first == UInt8(ascii: "/") ? [] : Array("/~/".utf8)
    return Array((scheme + machine).utf8) + start + path
  }
}
