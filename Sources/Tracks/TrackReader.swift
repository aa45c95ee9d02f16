import Gallery
import Services
import Sidecars

/// Reads the tracks of GPS receivers: GPX 1.0 and 1.1 (Topografix), the tracks of KML 2.2 (`gx:Track`, Google), and NMEA 0183.
public enum TrackReader {
  /// The largest file in bytes. A point a second for a week takes some 100 MB of GPX.
  static let largestFile = 256 << 20

  /// Returns the track of a file's content.
  public static func track(of bytes: [UInt8]) throws(TrackFault) -> PositionTrack {
    guard let first = bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) else { throw .empty }
    let points: [PositionTrack.Point]
    switch first {
    case UInt8(ascii: "$"), UInt8(ascii: "!"): points = NMEATrack.points(of: bytes)
    case UInt8(ascii: "<"): points = try XMLTrack.points(of: bytes)
    default: throw .unknownFormat
    }
    if points.isEmpty { throw .noTimes }
    return PositionTrack(points)
  }
}
