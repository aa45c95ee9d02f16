import Resources

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A fault of a bundled file of places. The program goes on without what is in it.
public enum PlacesFault: Error, Hashable, Sendable {
  /// The file cannot be opened or read.
  case unreadable(path: String)
  /// The file is not one that `tools/places.py` has written.
  case damaged(path: String)
}

/// A file in `Resources/places`.
enum PlacesFile {
  /// Reads a file.
  static func bytes(_ name: String) throws(PlacesFault) -> (path: String, bytes: [UInt8]) {
    let path = Resources.path("places/\(name)")
    guard let bytes = contents(of: path) else { throw .unreadable(path: path) }
    return (path, bytes)
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    guard fseek(file, 0, SEEK_END) == 0 else { return nil }
    let length = ftell(file)
    guard length >= 0, fseek(file, 0, SEEK_SET) == 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = fread(buffer.baseAddress, 1, length, file)
    }
    return bytes.count == length ? bytes : nil
  }
}

/// The bytes are not what a file of places consists of.
struct MalformedPlaces: Error {}

/// A reader of the values in a file of places, one after another.
struct PlacesReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes have been read.
  var isAtEnd: Bool { offset == bytes.count }

  /// Reads the mark at the beginning of a file.
  mutating func mark(_ mark: String) throws(MalformedPlaces) {
    guard bytes.starts(with: mark.utf8) else { throw MalformedPlaces() }
    offset = mark.utf8.count
  }

  mutating func byte() throws(MalformedPlaces) -> UInt8 {
    guard offset < bytes.count else { throw MalformedPlaces() }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a number of two bytes.
  mutating func short() throws(MalformedPlaces) -> Int {
    let low = try byte()
    return Int(low) | Int(try byte()) << 8
  }

  /// Reads a text of this length.
  mutating func text(_ length: Int) throws(MalformedPlaces) -> String {
    let start = offset
    try skip(length)
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  mutating func skip(_ count: Int) throws(MalformedPlaces) {
    guard count <= bytes.count - offset else { throw MalformedPlaces() }
    offset += count
  }

  /// Reads a number with 7 bits in each byte.
  mutating func number() throws(MalformedPlaces) -> Int {
    var number = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = try byte()
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw MalformedPlaces()
  }

  /// Reads a number whose sign is in the lowest bit.
  mutating func signedNumber() throws(MalformedPlaces) -> Int {
    let number = try number()
    return number >> 1 ^ -(number & 1)
  }
}
