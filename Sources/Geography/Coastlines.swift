/// The coastlines and the borders of countries (Natural Earth), in two levels of detail.
///
/// `tools/places.py` makes the file and describes it. Positions are in hundredths of a degree.
public struct Coastlines: Sendable {
  /// The bundled lines, or the fault of their file. They are read when they are first asked for.
  public static let loaded: Result<Coastlines, PlacesFault> = Result { () throws(PlacesFault) in
    let (path, bytes) = try PlacesFile.bytes("lines.bin")
    do throws(MalformedPlaces) { return try Coastlines(bytes) } catch { throw .damaged(path: path) }
  }

  /// The kinds of lines.
  public enum Kind: Sendable {
    case coast, border
  }

  /// A point of a line in hundredths of a degree.
  public struct Point: Hashable, Sendable {
    /// The longitude, positive in the east.
    public let x: Int16
    /// The latitude, positive in the north.
    public let y: Int16
  }

  /// A part of a line that is short enough to be drawn or left out as a whole.
  private struct Piece {
    let kind: Kind
    let points: Range<Int>
    let west: Int16
    let east: Int16
    let south: Int16
    let north: Int16
  }

  private static let mostPoints = 64

  private var points: [Point] = []
  /// The pieces of the whole world, and those of its parts.
  private var (coarse, fine): ([Piece], [Piece]) = ([], [])

  /// Reads the contents of a file of lines.
  init(_ bytes: [UInt8]) throws(MalformedPlaces) {
    var reader = PlacesReader(bytes)
    try reader.mark("TTLINE1\n")
    for kind in [Kind.coast, .border] { coarse += try readPieces(of: kind, from: &reader) }
    for kind in [Kind.coast, .border] { fine += try readPieces(of: kind, from: &reader) }
    guard reader.isAtEnd else { throw MalformedPlaces() }
  }

  private mutating func readPieces(of kind: Kind, from reader: inout PlacesReader) throws(MalformedPlaces) -> [Piece] {
    var pieces: [Piece] = []
    for _ in 0..<(try reader.number()) {
      let start = points.count
      var (x, y) = (0, 0)
      for _ in 0..<(try reader.number()) {
        x += try reader.signedNumber()
        y += try reader.signedNumber()
        guard abs(x) <= 18000, abs(y) <= 9000 else { throw MalformedPlaces() }
        points.append(Point(x: Int16(x), y: Int16(y)))
      }
      for first in stride(from: start, to: points.count - 1, by: Self.mostPoints) {
        pieces.append(piece(kind, first..<min(points.count, first + Self.mostPoints + 1)))
      }
    }
    return pieces
  }

  private func piece(_ kind: Kind, _ range: Range<Int>) -> Piece {
    let (x, y) = (points[range].map(\.x), points[range].map(\.y))
    return Piece(
      kind: kind, points: range, west: x.min() ?? 0, east: x.max() ?? 0, south: y.min() ?? 0, north: y.max() ?? 0)
  }

  /// Calls `body` with each piece of a line that may have a part in an area.
  ///
  /// - Parameters:
  ///   - isFine: Whether the lines are those for parts of the world.
  ///   - west: The western edge in degrees. An area that crosses the meridian of 180° is asked for in two parts.
  public func forEachLine(
    isFine: Bool, south: Double, north: Double, west: Double, east: Double, _ body: (Kind, ArraySlice<Point>) -> Void
  ) {
    for piece in isFine ? fine : coarse
    where Double(piece.east) >= west * 100 && Double(piece.west) <= east * 100 && Double(piece.north) >= south * 100
      && Double(piece.south) <= north * 100
    {
      body(piece.kind, points[piece.points])
    }
  }
}
