/// An absolute path as the file system has it: bytes, of which nobody knows that they are UTF-8.
public struct FilePath: Hashable, Sendable {
  /// Without NUL, and without a slash at the end.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public init(_ path: String) {
    bytes = Array(path.utf8)
  }

  /// The path that a program of this working folder means, without `.` and `..`.
  public init(_ path: some Collection<UInt8>, in folder: FilePath) {
    let slash = UInt8(ascii: "/")
    var names: [ArraySlice<UInt8>] = []
    let whole = path.first == slash ? Array(path) : folder.appending(path).bytes
    for name in whole.split(separator: slash) where !name.elementsEqual(".".utf8) {
      if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
    }
    self = names.reduce("/") { $0.appending($1) }
  }

  /// The file of this name in this folder.
  public func appending(_ name: some Sequence<UInt8>) -> FilePath {
    FilePath((bytes.last == UInt8(ascii: "/") ? bytes : bytes + [UInt8(ascii: "/")]) + name)
  }

  /// What is behind the last slash.
  public var name: ArraySlice<UInt8> {
    bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }

  /// What is before the last slash.
  public var folder: FilePath {
    let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    return FilePath(Array(bytes[..<max(1, end)]))
  }

  /// To be shown, not to be opened.
  public var printable: String { String(decoding: bytes, as: UTF8.self).printable }

  /// ``name``, to be shown, not to be opened.
  public var printableName: String { String(decoding: name, as: UTF8.self).printable }

  /// Calls `body` with the path as C wants it.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}

extension FilePath: ExpressibleByStringInterpolation {
  public init(stringLiteral path: String) { self.init(path) }
}

extension FilePath: Comparable {
  /// In the order of the bytes.
  public static func < (one: FilePath, other: FilePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
