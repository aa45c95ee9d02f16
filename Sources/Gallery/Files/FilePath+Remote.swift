// Files on other machines. Their paths lead to nothing on this one, so that no other file is ever taken for one of them.
extension FilePath {
  private static let remoteMark = Array("/ssh:".utf8)
  private static let colon = UInt8(ascii: ":")

  /// Creates the path here of a file on another machine: `/ssh:MACHINE:PATH`.
  ///
  /// - Parameters:
  ///   - path: The absolute path there.
  ///   - machine: The machine, as the user named it. It has no slash.
  public init(_ path: FilePath, on machine: String) {
    let there = path == "/" ? [] : path.bytes
    self.init(Self.remoteMark + Array(machine.utf8) + [Self.colon] + there)
  }

  /// Whether the file is on another machine.
  public var isRemote: Bool { bytes.starts(with: Self.remoteMark) && remote != nil }

  /// The machine and the path there, or nil for a file on this machine.
  public var remote: (machine: String, path: FilePath)? {
    guard bytes.starts(with: Self.remoteMark) else { return nil }
    let rest = bytes.dropFirst(Self.remoteMark.count)
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    guard end - rest.startIndex > 1, rest[end - 1] == Self.colon else { return nil }
    let path = rest[end...]
    return (String(decoding: rest[..<(end - 1)], as: UTF8.self), path.isEmpty ? "/" : FilePath(Array(path)))
  }
}

extension ImageLocation {
  /// Whether the image is on another machine, whose gallery sends it.
  public var isRemote: Bool { file?.isRemote ?? false }
}
