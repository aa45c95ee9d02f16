import Gallery

/// The drawing of a contact sheet's pages to a new file, as a worker gets it.
///
/// The request's own file has the pictures, the first one at its start, and drawings behind them.
public struct SheetRequest: Hashable, Sendable {
  /// The formats of the new file.
  public enum Format: Hashable, Sendable {
    /// A PDF of all pages. The JPEGs are in it as they are.
    case pdf
    /// A PNG of the only page, with so many pixels an inch.
    case png(resolution: Int)
  }

  /// The format.
  public var format: Format
  /// The bytes of the framed ``SheetDrawing`` in the file.
  public var drawing: Range<Int>
  /// The absolute path of an existing file, which the worker writes.
  public var destination: FilePath

  /// The most pixels an inch.
  public static let resolutions = 1...1200

  /// Creates a request from its properties.
  public init(_ format: Format, drawing: Range<Int>, destination: FilePath) {
    self.format = format
    self.drawing = drawing
    self.destination = destination
  }
}

extension SheetRequest {
  func encode(to bytes: inout [UInt8]) {
    switch format {
    case .pdf: bytes.put(0)
    case .png(let resolution): bytes.put(resolution)
    }
    for place in [drawing.lowerBound, drawing.upperBound] { bytes.put(UInt64(place)) }
    bytes.put(destination.bytes)
  }

  init(from reader: inout WireReader) throws(WireError) {
    let resolution = try reader.int(in: 0...Self.resolutions.upperBound)
    format = resolution == 0 ? .pdf : .png(resolution: resolution)
    drawing = try reader.range()
    destination = FilePath(try reader.blob())
  }
}
