import Gallery

/// A message that can be coded as bytes: a length of four bytes, then the fields in order, with little-endian integers.
public protocol WireMessage {
  /// Appends the message's fields.
  func encode(to bytes: inout [UInt8])
  /// Reads the message's fields.
  init(from reader: inout WireReader) throws(WireError)
}

/// An error in received bytes.
public enum WireError: Error, Hashable, Sendable {
  /// The bytes are not a message of the expected kind.
  case malformed
}

extension WireMessage {
  /// The bytes of the message, with its length first.
  public var framed: [UInt8] {
    var body: [UInt8] = []
    encode(to: &body)
    var bytes: [UInt8] = []
    bytes.put(UInt32(body.count))
    return bytes + body
  }
}

/// Collects received bytes, and returns whole messages.
public struct WireBuffer {
  private var bytes: [UInt8] = []

  /// The longest message in bytes.
  public static let longest = 64 << 20

  /// Creates an empty buffer.
  public init() {}

  /// Appends received bytes.
  public mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Removes and returns the next message; nil until all of it has come.
  /// - Parameter longest: The most bytes of the message.
  public mutating func next<Message: WireMessage>(
    _: Message.Type, atMost longest: Int = longest
  ) throws(WireError) -> Message? {
    var header = WireReader(bytes[...])
    guard bytes.count >= 4 else { return nil }
    let length = Int(try header.uint32())
    guard length <= longest else { throw .malformed }
    guard bytes.count >= 4 + length else {
      bytes.reserveCapacity(4 + length)
      return nil
    }
    var reader = WireReader(bytes[4..<4 + length])
    let message = try Message(from: &reader)
    guard reader.isAtEnd else { throw .malformed }
    // The reader still has the bytes, so that removing some of them copies the others.
    if bytes.count == 4 + length { bytes = [] } else { bytes.removeFirst(4 + length) }
    return message
  }
}

/// Reads the fields of one message.
public struct WireReader {
  private var bytes: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  package var isAtEnd: Bool { bytes.isEmpty }
  /// The number of bytes that have not been read.
  var byteCount: Int { bytes.count }

  package mutating func uint8() throws(WireError) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw .malformed }
    return byte
  }

  package mutating func flag() throws(WireError) -> Bool { try uint8() != 0 }

  package mutating func uint32() throws(WireError) -> UInt32 {
    guard bytes.count >= 4 else { throw .malformed }
    let value = bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    bytes.removeFirst(4)
    return value
  }

  package mutating func uint64() throws(WireError) -> UInt64 { UInt64(try uint32()) | UInt64(try uint32()) << 32 }

  /// Reads a number from 0 to 2^32 - 1.
  package mutating func int() throws(WireError) -> Int { Int(try uint32()) }

  package mutating func int(in range: ClosedRange<Int>) throws(WireError) -> Int {
    let value = try int()
    guard range.contains(value) else { throw .malformed }
    return value
  }

  /// Reads a number from -2^31 to 2^31 - 1.
  package mutating func signed() throws(WireError) -> Int { Int(Int32(bitPattern: try uint32())) }

  mutating func signed(in range: ClosedRange<Int>) throws(WireError) -> Int {
    let value = try signed()
    guard range.contains(value) else { throw .malformed }
    return value
  }

  package mutating func blob() throws(WireError) -> [UInt8] {
    let count = try int()
    guard count <= bytes.count else { throw .malformed }
    defer { bytes.removeFirst(count) }
    return Array(bytes.prefix(count))
  }

  package mutating func rest() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }

  package mutating func text() throws(WireError) -> String { String(decoding: try blob(), as: UTF8.self) }

  /// Reads a text in which a library or the system gives a reason.
  mutating func reason() throws(WireError) -> String {
    let reason = try text()
    // It is kept with each photo for which it is the reason, and is drawn in each frame.
    guard reason.utf8.count <= Self.longestReason else { throw .malformed }
    return reason
  }

  /// Reads a value that has a byte.
  package mutating func value<Value: RawRepresentable<UInt8>>() throws(WireError) -> Value {
    guard let value = Value(rawValue: try uint8()) else { throw .malformed }
    return value
  }
}

extension WireReader {
  /// The valid sides of a box in cells.
  static let cellSides = 1...4096
  /// The valid sides of an image in pixels.
  static let pixelSides = 1...1 << 20
  /// The longest reason in bytes.
  static let longestReason = 1000
}

extension [UInt8] {
  package mutating func put(_ value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func put(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number as 32 bits. A number that does not fit becomes the nearest one that does.
  package mutating func put(_ value: Int) { put(UInt32(clamping: value)) }

  /// Appends a number that may be negative as 32 bits. A number that does not fit becomes the nearest one that does.
  package mutating func put(signed value: Int) { put(UInt32(bitPattern: Int32(clamping: value))) }

  package mutating func put(_ flag: Bool) { append(flag ? 1 : 0) }

  package mutating func put(_ blob: [UInt8]) {
    put(blob.count)
    append(contentsOf: blob)
  }

  package mutating func put(_ text: String) { put(Array(text.utf8)) }

  /// Appends a reason, of which the end is left out if it is too long.
  mutating func put(reason: String) {
    var bytes = Array(reason.utf8)
    if bytes.count > WireReader.longestReason {
      // A character has no more than four bytes, of which the later ones begin with the bits 10.
      var end = WireReader.longestReason
      while bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeLast(bytes.count - end)
    }
    put(bytes)
  }
}
