import TestLimit
import Testing

@testable import Geography

@Suite(.limited) struct CoastlinesTests {
  @Test func theBundledLinesGoAroundTheWorld() throws {
    let lines = try Coastlines.loaded.get()
    for isFine in [false, true] {
      var (coasts, borders, length) = (0, 0, 0)
      lines.forEachLine(isFine: isFine, south: -90, north: 90, west: -180, east: 180) { kind, points in
        if kind == .coast { coasts += points.count } else { borders += points.count }
        length = max(length, points.count)
      }
      #expect(coasts > (isFine ? 50_000 : 5000))
      #expect(borders > (isFine ? 15_000 : 2500))
      #expect(length <= 65)
    }
  }

  /// The pieces of a line share their ends, so that no gap is drawn.
  @Test func aLineIsCutIntoPiecesThatMeet() throws {
    let points: [UInt8] = [2, 2] + Array(repeating: [2, 0], count: 129).joined()
    let lines = try Coastlines("TTLINE1\n".utf8 + [1, 130 | 0x80, 1] + points + [0, 0, 0])
    var pieces: [ArraySlice<Coastlines.Point>] = []
    lines.forEachLine(isFine: false, south: -1, north: 1, west: -1, east: 2) { _, points in pieces.append(points) }
    #expect(pieces.map(\.count) == [65, 65, 2])
    #expect(pieces[0].last == pieces[1].first)
    #expect(pieces[1].last == pieces[2].first)
    var found = 0
    lines.forEachLine(isFine: false, south: -1, north: 1, west: 0.7, east: 1) { _, _ in found += 1 }
    #expect(found == 1)
    lines.forEachLine(isFine: true, south: -1, north: 1, west: -1, east: 2) { _, _ in found += 1 }
    #expect(found == 1)
  }

  @Test(
    arguments: [
      [], Array("TTLINE1\n".utf8), Array("TTLINE2\n".utf8) + [0, 0, 0, 0], Array("TTLINE1\n".utf8) + [0, 0, 0],
      Array("TTLINE1\n".utf8) + [0, 0, 0, 0, 0], Array("TTLINE1\n".utf8) + [1, 1, 2], Array("TTLINE1\n".utf8) + [0xFF],
      // A point at 360.01° east.
      Array("TTLINE1\n".utf8) + [1, 1, 0xC2, 0xB2, 0x04, 0, 0, 0, 0],
      Array("TTLINE1\n".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]]) func damagedFilesAreRefused(bytes: [UInt8])
  {
    #expect(throws: MalformedPlaces.self) { try Coastlines(bytes) }
  }
}
