/// The pages of a contact sheet as a worker draws them: pictures and lines of text at their places.
///
/// Places and sizes are in points (1/72 inch) from the upper left corner of the page.
public struct SheetDrawing: Hashable, Sendable {
  /// The width of a page in points.
  public var width: Double
  /// The height of a page in points.
  public var height: Double
  /// The title of the document.
  public var title: String
  /// The pages.
  public var pages: [Page]

  /// Creates a drawing from its properties.
  public init(width: Double, height: Double, title: String, pages: [Page]) {
    self.width = width
    self.height = height
    self.title = title
    self.pages = pages
  }

  /// A page.
  public struct Page: Hashable, Sendable {
    /// The pictures.
    public var pictures: [Picture]
    /// The lines of text.
    public var lines: [Line]

    /// Creates a page from its properties.
    public init(pictures: [Picture], lines: [Line]) {
      self.pictures = pictures
      self.lines = lines
    }
  }

  /// A JPEG on a page.
  public struct Picture: Hashable, Sendable {
    /// The bytes of the JPEG in the file of the sheet.
    public var bytes: Range<Int>
    /// The left edge in points.
    public var x: Double
    /// The upper edge in points.
    public var y: Double
    /// The width in points.
    public var width: Double
    /// The height in points.
    public var height: Double

    /// Creates a picture from its properties.
    public init(bytes: Range<Int>, x: Double, y: Double, width: Double, height: Double) {
      self.bytes = bytes
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The side of a line's box at which its text is.
  public enum Alignment: UInt8, Sendable {
    case left, center, right
  }

  /// A line of text. If it is too long, its middle is left out.
  public struct Line: Hashable, Sendable {
    /// The text in Pango's markup.
    public var markup: String
    /// The size of the font in points.
    public var size: Double
    /// The left edge of the box in points.
    public var x: Double
    /// The upper edge of the box in points. The baseline is below it by the size of the font.
    public var y: Double
    /// The width of the box in points.
    public var width: Double
    /// The side of the box at which the text is.
    public var alignment: Alignment

    /// Creates a line from its properties.
    public init(_ markup: String, size: Double, x: Double, y: Double, width: Double, alignment: Alignment) {
      self.markup = markup
      self.size = size
      self.x = x
      self.y = y
      self.width = width
      self.alignment = alignment
    }
  }
}

extension SheetDrawing: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    for length in [width, height] { bytes.put(length.bitPattern) }
    bytes.put(title)
    bytes.put(pages.count)
    for page in pages {
      bytes.put(page.pictures.count)
      for picture in page.pictures { picture.encode(to: &bytes) }
      bytes.put(page.lines.count)
      for line in page.lines { line.encode(to: &bytes) }
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(width: try reader.length(), height: try reader.length(), title: try reader.text(), pages: [])
    for _ in 0..<(try reader.int(in: 0...Self.mostPages)) {
      var page = Page(pictures: [], lines: [])
      for _ in 0..<(try reader.int(in: 0...Self.mostParts)) { page.pictures.append(try Picture(from: &reader)) }
      for _ in 0..<(try reader.int(in: 0...Self.mostParts)) { page.lines.append(try Line(from: &reader)) }
      pages.append(page)
    }
  }

  private static let mostPages = 1 << 20
  private static let mostParts = 1 << 12
}

extension SheetDrawing.Picture {
  fileprivate func encode(to buffer: inout [UInt8]) {
    for place in [bytes.lowerBound, bytes.upperBound] { buffer.put(UInt64(place)) }
    for length in [x, y, width, height] { buffer.put(length.bitPattern) }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    bytes = try reader.range()
    x = try reader.length()
    y = try reader.length()
    width = try reader.length()
    height = try reader.length()
  }
}

extension SheetDrawing.Line {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.put(markup)
    for length in [size, x, y, width] { bytes.put(length.bitPattern) }
    bytes.append(alignment.rawValue)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    markup = try reader.text()
    size = try reader.length()
    x = try reader.length()
    y = try reader.length()
    width = try reader.length()
    alignment = try reader.value()
  }
}

extension WireReader {
  /// Reads a length in points, at most one that PDF readers accept for a page (ISO 32000-1, Annex C.2).
  fileprivate mutating func length() throws(WireError) -> Double {
    let value = Double(bitPattern: try uint64())
    guard (0...14_400).contains(value) else { throw .malformed }
    return value
  }

  /// Reads a range of bytes in a file.
  mutating func range() throws(WireError) -> Range<Int> {
    let (start, end) = (try uint64(), try uint64())
    guard start <= end, end <= UInt64(Int64.max) else { throw .malformed }
    return Int(start)..<Int(end)
  }
}
