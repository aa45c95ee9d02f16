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
  public mutating func next<Message: WireMessage>(_: Message.Type) throws(WireError) -> Message? {
    var header = WireReader(bytes[...])
    guard bytes.count >= 4 else { return nil }
    let length = Int(try header.uint32())
    guard length <= Self.longest else { throw .malformed }
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

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }
  /// The number of bytes that have not been read.
  var byteCount: Int { bytes.count }

  mutating func uint8() throws(WireError) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw .malformed }
    return byte
  }

  mutating func flag() throws(WireError) -> Bool { try uint8() != 0 }

  mutating func uint32() throws(WireError) -> UInt32 {
    guard bytes.count >= 4 else { throw .malformed }
    let value = bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    bytes.removeFirst(4)
    return value
  }

  mutating func uint64() throws(WireError) -> UInt64 { UInt64(try uint32()) | UInt64(try uint32()) << 32 }

  /// Reads a number from 0 to 2^32 - 1.
  mutating func int() throws(WireError) -> Int { Int(try uint32()) }

  mutating func int(in range: ClosedRange<Int>) throws(WireError) -> Int {
    let value = try int()
    guard range.contains(value) else { throw .malformed }
    return value
  }

  mutating func blob() throws(WireError) -> [UInt8] {
    let count = try int()
    guard count <= bytes.count else { throw .malformed }
    defer { bytes.removeFirst(count) }
    return Array(bytes.prefix(count))
  }

  mutating func rest() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }

  mutating func text() throws(WireError) -> String { String(decoding: try blob(), as: UTF8.self) }
}

extension [UInt8] {
  mutating func put(_ value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  mutating func put(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number as 32 bits. A number that does not fit becomes the nearest one that does.
  mutating func put(_ value: Int) { put(UInt32(clamping: value)) }
  mutating func put(_ flag: Bool) { append(flag ? 1 : 0) }

  mutating func put(_ blob: [UInt8]) {
    put(blob.count)
    append(contentsOf: blob)
  }

  mutating func put(_ text: String) { put(Array(text.utf8)) }
}

extension RenditionRequest: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    bytes.put(path.bytes)
    for value in [columns, rows, cellWidth, cellHeight, frame] { bytes.put(value) }
    bytes.put(background)
    bytes.put(palette.count)
    for color in palette { bytes.put(color) }
    bytes.append(stage.rawValue)
    for value in [budget, exactBudget, throughput] { bytes.put(value) }
    bytes.append(rotation.rawValue)
    bytes.append(overlay.rawValue)
    view.encode(to: &bytes)
    format.encode(to: &bytes)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    path = FilePath(try reader.blob())
    columns = try reader.int(in: cellSides)
    rows = try reader.int(in: cellSides)
    cellWidth = try reader.int(in: cellSides)
    cellHeight = try reader.int(in: cellSides)
    frame = try reader.int()
    background = try reader.uint32()
    palette = []
    for _ in 0..<(try reader.int(in: paletteCounts)) { palette.append(try reader.uint32()) }
    guard let stage = RenditionStage(rawValue: try reader.uint8()) else { throw .malformed }
    self.stage = stage
    budget = try reader.int()
    exactBudget = try reader.int()
    throughput = try reader.int()
    guard let rotation = ImageRotation(rawValue: try reader.uint8()) else { throw .malformed }
    self.rotation = rotation
    guard let overlay = ImageOverlay(rawValue: try reader.uint8()) else { throw .malformed }
    self.overlay = overlay
    view = try ImageView(from: &reader)
    format = try OutputFormat(from: &reader)
  }
}

extension ImageView {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .whole: bytes.append(0)
    case .filling: bytes.append(1)
    case .zoomed(let scale, let centerX, let centerY):
      bytes.append(2)
      for value in [scale, centerX, centerY] { bytes.put(value) }
    case .enlarged: bytes.append(3)
    case .fillingHeight: bytes.append(4)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .whole
    case 1: self = .filling
    case 2: self = .zoomed(scale: try reader.int(), centerX: try reader.int(), centerY: try reader.int())
    case 3: self = .enlarged
    case 4: self = .fillingHeight
    default: throw .malformed
    }
  }
}

extension RenditionAnswer: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    for value in [info.width, info.height, info.scale, info.frames, info.delay] { bytes.put(value) }
    bytes.put(info.isSharp)
    bytes.put(info.isIncomplete)
    bytes.put(UInt64(bitPattern: Int64(info.modifiedAt)))
    bytes.put(info.histogram != nil)
    info.histogram?.encode(to: &bytes)
    bytes.put(info.sharpness != nil)
    if let sharpness = info.sharpness { bytes.put(sharpness) }
    switch content {
    case .cells(let image):
      bytes.append(0)
      bytes.put(image.columns)
      bytes.put(image.rows)
      bytes.reserveCapacity(bytes.count + 12 * image.cells.count)
      for cell in image.cells {
        bytes.put(cell.scalar)
        bytes.put(cell.foreground)
        bytes.put(cell.background)
      }
    case .graphic(let image):
      bytes.append(1)
      for value in [image.columns, image.rows, image.width, image.height] { bytes.put(value) }
      bytes.put(image.isEnlarged)
      bytes.put(image.isPlaced)
      bytes.put(image.bytes)
      bytes.put(image.file)
    case .noPreview: bytes.append(2)
    case .failure(let fault):
      bytes.append(3)
      fault.encode(to: &bytes)
    case .appraisal(let appraisal):
      bytes.append(4)
      bytes.put(appraisal.hash)
      bytes.put(appraisal.sharpness.count)
      for value in appraisal.sharpness { bytes.put(Int(value)) }
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    let info = 0...Int(Int32.max)
    self.info = ImageInfo(
      width: try reader.int(in: info), height: try reader.int(in: info), scale: try reader.int(in: info),
      frames: try reader.int(in: info), delay: try reader.int(in: info), isSharp: try reader.flag(),
      isIncomplete: try reader.flag(), modifiedAt: Int(Int64(bitPattern: try reader.uint64())),
      histogram: try reader.flag() ? ToneHistogram(from: &reader) : nil,
      sharpness: try reader.flag() ? reader.int(in: 0...1000) : nil)
    switch try reader.uint8() {
    case 0: content = .cells(try CellImage(from: &reader))
    case 1: content = .graphic(try GraphicImage(from: &reader))
    case 2: content = .noPreview
    case 3: content = .failure(try ImageFault(from: &reader))
    case 4:
      let hash = try reader.uint64()
      var sharpness: [UInt16] = []
      for _ in 0..<(try reader.int(in: 0...ImageAppraisal.side * ImageAppraisal.side)) {
        sharpness.append(UInt16(try reader.int(in: 0...Int(UInt16.max))))
      }
      content = .appraisal(ImageAppraisal(hash: hash, sharpness: sharpness))
    default: throw .malformed
    }
  }
}

extension ToneHistogram {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes += bars
    bytes.put(clipsShadows)
    bytes.put(clipsHighlights)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    var bars: [UInt8] = []
    for _ in 0..<Self.barCount { bars.append(try reader.uint8()) }
    self.init(bars: bars, clipsShadows: try reader.flag(), clipsHighlights: try reader.flag())
  }
}

/// The valid sides of a box in cells, and of an image in pixels.
private let (cellSides, pixelSides) = (1...4096, 1...1 << 20)
/// The valid numbers of a palette's colors.
private let paletteCounts = 0...16

extension GraphicImage {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(
      columns: try reader.int(in: cellSides), rows: try reader.int(in: cellSides),
      width: try reader.int(in: pixelSides), height: try reader.int(in: pixelSides),
      isEnlarged: try reader.flag(), isPlaced: try reader.flag(), bytes: try reader.blob(), file: try reader.text())
    guard ImageSequences.isValid(bytes, file: file) else { throw .malformed }
  }
}

extension CellImage {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let (columns, rows) = (try reader.int(in: cellSides), try reader.int(in: cellSides))
    var cells: [Cell] = []
    // An array that grows takes up to twice the memory of its elements for as long as it is kept. A message may claim to have
    // more cells than it has.
    cells.reserveCapacity(min(columns * rows, reader.byteCount / MemoryLayout<Cell>.size))
    for _ in 0..<columns * rows { cells.append(try Cell(from: &reader)) }
    self.init(columns: columns, rows: rows, cells: cells)
  }
}

extension CellImage.Cell {
  /// The characters that images are made of, which all take one cell: ASCII, blocks, Braille, octants and sextants.
  private static let characters: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0x2500...0x259F, 0x2800...0x28FF, 0x1CC00...0x1CEBF, 0x1FB00...0x1FBFF,
  ]

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(scalar: try reader.uint32(), foreground: try reader.uint32(), background: try reader.uint32())
    // A worker that a hostile file has taken over must not control the terminal.
    guard Self.characters.contains(where: { $0.contains(scalar) }) else { throw .malformed }
  }
}
