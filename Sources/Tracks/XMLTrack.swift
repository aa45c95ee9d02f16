import Gallery
import Sidecars

/// The points of a track in XML.
struct XMLTrack {
  private var points: [PositionTrack.Point] = []

  /// Returns the points that have a time. The document is read element by element, and nothing of it is kept.
  static func points(of bytes: [UInt8]) throws(TrackFault) -> [PositionTrack.Point] {
    var track = XMLTrack()
    do throws(SidecarFault.Damage) {
      let root = try XMLReader.root(of: bytes, limits: .track) { track.take($0) }
      guard ["gpx", "kml"].contains(root.name.local) else { throw SidecarFault.Damage.notXMP }
    } catch {
      switch error {
      case .notXMP: throw .unknownFormat
      case .tooComplex: throw .tooLarge
      default: throw .damaged
      }
    }
    return track.points
  }

  /// Takes an element at its end. Returns whether it is not needed any more.
  private mutating func take(_ element: XMLElement) -> Bool {
    switch element.name.local {
    case "trkpt": takePoint(element)
    case "Track": takeTrack(element)
    // The content of points and tracks is read at their ends.
    case "ele", "time", "when", "coord": return false
    case "gpx", "kml": return false
    default: break
    }
    return true
  }

  /// Takes a point of GPX.
  private mutating func takePoint(_ element: XMLElement) {
    func child(_ name: String) -> String? { element.children.first { $0.name.local == name }?.characters.trimmed }
    guard let moment = child("time").flatMap(Self.moment),
      let latitude = element["lat"].flatMap(Double.init(trimming:)),
      let longitude = element["lon"].flatMap(Double.init(trimming:))
    else { return }
    add(moment, latitude, longitude, child("ele").flatMap(Double.init))
  }

  /// Takes a track of KML, which has its times and its positions in two lists.
  private mutating func takeTrack(_ element: XMLElement) {
    let times = element.children.filter { $0.name.local == "when" }
    let places = element.children.filter { $0.name.local == "coord" }
    for (time, place) in zip(times, places) {
      let numbers = place.characters.split(whereSeparator: \.isWhitespace).map { Double($0) }
      guard let moment = Self.moment(time.characters.trimmed), numbers.count >= 2, let longitude = numbers[0],
        let latitude = numbers[1]
      else { continue }
      add(moment, latitude, longitude, numbers.count > 2 ? numbers[2] : nil)
    }
  }

  private mutating func add(_ moment: Double, _ latitude: Double, _ longitude: Double, _ altitude: Double?) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return }
    let height = altitude.flatMap { abs($0) < 1e6 ? $0 : nil }
    points.append(
      .init(moment: moment, place: .init(latitude: latitude, longitude: longitude, altitude: height)))
  }

  /// Reads a time. One without a zone is in UTC, as all times of GPX are.
  private static func moment(_ text: String) -> Double? {
    var text = text
    return text.withUTF8(CaptureTime.init(iso8601:)).map { $0.clock - Double($0.offset ?? 0) }
  }
}

extension String {
  fileprivate var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[start...end])
  }
}

extension Double {
  fileprivate init?(trimming text: String) { self.init(text.trimmed) }
}
