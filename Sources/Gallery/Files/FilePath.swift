/// An absolute path as the file system stores it: bytes, which need not be UTF-8.
public struct FilePath: Hashable, Sendable {
  /// The bytes of the path, without NUL and without a slash at the end.
  public let bytes: [UInt8]

  /// Creates a path of these bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a path of the UTF-8 bytes of a text.
  public init(_ path: String) {
    bytes = Array(path.utf8)
  }

  /// Resolves a path against a working folder, and removes `.` and `..`.
  public init(_ path: some Collection<UInt8>, in folder: FilePath) {
    let slash = UInt8(ascii: "/")
    var names: [ArraySlice<UInt8>] = []
    let whole = path.first == slash ? Array(path) : folder.appending(path).bytes
    for name in whole.split(separator: slash) where !name.elementsEqual(".".utf8) {
      if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
    }
    self = names.reduce("/") { $0.appending($1) }
  }

  /// Returns the path of the file of this name in this folder.
  public func appending(_ name: some Sequence<UInt8>) -> FilePath {
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.underestimatedCount)
    path += bytes
    if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
    path += name
    return FilePath(path)
  }

  /// The last component, after the last slash.
  public var name: ArraySlice<UInt8> {
    bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }

  /// The path of the enclosing folder.
  public var folder: FilePath {
    let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    // The path in a damaged journal can be empty.
    return FilePath(Array(bytes.prefix(max(1, end))))
  }

  /// The path as printable text, which may not lead to the file.
  public var printable: String {
    let text = remote.map { "\($0.machine):\(String(decoding: $0.path.bytes, as: UTF8.self))" }
    return (text ?? String(decoding: bytes, as: UTF8.self)).printable
  }

  /// The ``name`` as printable text.
  public var printableName: String {
    let machine = bytes.lastIndex(of: UInt8(ascii: "/")) == 0 ? remote?.machine : nil
    return (machine.map { "\($0):/" } ?? String(decoding: name, as: UTF8.self)).printable
  }

  /// Calls `body` with the path as a C string.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { text in
      _ = text.initialize(fromContentsOf: bytes)
      text[bytes.count] = 0
      return UnsafeRawBufferPointer(text).withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }
}

extension FilePath: ExpressibleByStringInterpolation {
  /// Creates a path of a literal.
  public init(stringLiteral path: String) { self.init(path) }
}

extension FilePath: Comparable {
  /// Compares two paths by their bytes.
  public static func < (one: FilePath, other: FilePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}

// A path in a journal: a text, or bytes that are not UTF-8.
extension FilePath: Codable {
  private enum Key: CodingKey { case text, bytes }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self.init(text)
    } else {
      self.init(try container.decode([UInt8].self, forKey: .bytes))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if let text = String(validating: bytes, as: UTF8.self) {
      try container.encode(text, forKey: .text)
    } else {
      try container.encode(bytes, forKey: .bytes)
    }
  }
}

extension FilePath {
  /// Returns the path of a file whose name has a number before the suffix, such as `a-2.jpg`. The number 1
  /// leaves the name as it is.
  public func numbered(_ number: Int) -> FilePath {
    number > 1 ? withNumber(number) : self
  }

  /// Returns the path of a file whose name has a number before the suffix, also for the number 1.
  public func withNumber(_ number: Int) -> FilePath {
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil } ?? bytes.endIndex
    return FilePath(Array(bytes[..<dot]) + Array("-\(number)".utf8) + Array(bytes[dot...]))
  }
}
