/// Messages as bytes: a length of four bytes, then the fields in order, integers little-endian.
public protocol WireMessage {
  func encode(to bytes: inout [UInt8])
  init(from reader: inout WireReader) throws(WireError)
}

public enum WireError: Error, Hashable, Sendable {
  /// The bytes are no message of this kind.
  case malformed
}

extension WireMessage {
  /// The message with its length before it.
  public var framed: [UInt8] {
    var body: [UInt8] = []
    encode(to: &body)
    var bytes: [UInt8] = []
    bytes.put(UInt32(body.count))
    return bytes + body
  }
}

/// Collects bytes as they come and hands out whole messages.
public struct WireBuffer {
  private var bytes: [UInt8] = []

  /// No message is longer.
  public static let longest = 64 << 20

  public init() {}

  public mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The next message, once all of it has come.
  public mutating func next<Message: WireMessage>(_: Message.Type) throws(WireError) -> Message? {
    var header = WireReader(bytes[...])
    guard bytes.count >= 4 else { return nil }
    let length = Int(try header.uint32())
    guard length <= Self.longest else { throw .malformed }
    guard bytes.count >= 4 + length else { return nil }
    var reader = WireReader(bytes[4..<4 + length])
    let message = try Message(from: &reader)
    guard reader.isAtEnd else { throw .malformed }
    bytes.removeFirst(4 + length)
    return message
  }
}

/// Reads fields from the bytes of one message.
public struct WireReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func uint8() throws(WireError) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw .malformed }
    return byte
  }

  mutating func uint32() throws(WireError) -> UInt32 {
    guard bytes.count >= 4 else { throw .malformed }
    let value = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bytes.removeFirst(4)
    return value
  }

  mutating func text() throws(WireError) -> String {
    let count = Int(try uint32())
    guard count <= bytes.count else { throw .malformed }
    defer { bytes.removeFirst(count) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ value: UInt32) {
    for shift in [0, 8, 16, 24] { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  fileprivate mutating func put(_ text: String) {
    put(UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

extension PictureRequest: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    bytes.put(path)
    for value in [columns, rows, cellAspect] { bytes.put(UInt32(clamping: value)) }
    bytes.append(colors.rawValue)
    bytes.append(isUnicode ? 1 : 0)
    bytes.append(fillsBox ? 1 : 0)
    bytes.put(background)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    path = try reader.text()
    columns = Int(try reader.uint32())
    rows = Int(try reader.uint32())
    cellAspect = Int(try reader.uint32())
    guard let colors = PictureColors(rawValue: try reader.uint8()) else { throw .malformed }
    self.colors = colors
    isUnicode = try reader.uint8() != 0
    fillsBox = try reader.uint8() != 0
    background = try reader.uint32()
  }
}

extension PictureAnswer: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    switch content {
    case .cells(let picture):
      bytes.append(0)
      bytes.put(UInt32(picture.columns))
      bytes.put(UInt32(picture.rows))
      bytes.reserveCapacity(bytes.count + 12 * picture.cells.count)
      for cell in picture.cells {
        bytes.put(cell.scalar)
        bytes.put(cell.foreground)
        bytes.put(cell.background)
      }
    case .failure(let reason):
      bytes.append(1)
      bytes.put(reason)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    switch try reader.uint8() {
    case 0:
      let (columns, rows) = (Int(try reader.uint32()), Int(try reader.uint32()))
      guard columns <= 4096, rows <= 4096 else { throw .malformed }
      var cells: [CellPicture.Cell] = []
      for _ in 0..<columns * rows {
        cells.append(
          CellPicture.Cell(
            scalar: try reader.uint32(), foreground: try reader.uint32(), background: try reader.uint32()))
      }
      content = .cells(CellPicture(columns: columns, rows: rows, cells: cells))
    case 1: content = .failure(try reader.text())
    default: throw .malformed
    }
  }
}
