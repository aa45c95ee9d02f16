import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Tracks

@Suite(.limited) struct TrackReaderTests {
  private func track(_ text: String) throws -> [PositionTrack.Point] {
    try TrackReader.track(of: Array(text.utf8)).points
  }

  private func moment(_ text: String) throws -> Double { try #require(Timestamp(text)).seconds }

  @Test func pointsOfGPXHaveTimesInAnyZone() throws {
    let points = try track(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:t="http://example.org/t">
       <metadata><time>2026-01-01T00:00:00Z</time></metadata>
       <wpt lat="1" lon="1"><time>2026-05-03T10:00:00Z</time></wpt>
       <trk><name>A &amp; B</name><trkseg>
        <trkpt lat="59.9139" lon="10.7522"><ele>23.5</ele><time>2026-05-03T12:03:20Z</time></trkpt>
        <trkpt lon=" -10.5 " lat="-59.9"><time> 2026-05-03T14:03:21.5+02:00 </time><extensions><t:hr>90</t:hr></extensions></trkpt>
       </trkseg><trkseg>
        <trkpt lat="60" lon="11"><ele>x</ele><time>2026-05-03T12:03:19</time></trkpt>
        <trkpt lat="60" lon="11"></trkpt><trkpt lat="91" lon="11"><time>2026-05-03T12:03:22Z</time></trkpt>
        <trkpt lat="60"><time>2026-05-03T12:03:23Z</time></trkpt><trkpt lat="60" lon="11"><time>noon</time></trkpt>
       </trkseg></trk>
      </gpx>
      """)
    #expect(
      points == [
        .init(moment: try moment("2026-05-03T12:03:19Z"), place: .init(latitude: 60, longitude: 11)),
        .init(
          moment: try moment("2026-05-03T12:03:20Z"),
          place: .init(latitude: 59.9139, longitude: 10.7522, altitude: 23.5)),
        .init(moment: try moment("2026-05-03T12:03:21.5Z"), place: .init(latitude: -59.9, longitude: -10.5)),
      ])
  }

  @Test func pointsOfKMLAreTwoLists() throws {
    let points = try track(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark>
      <gx:Track><when>2026-05-03T12:03:20Z</when><when>2026-05-03T12:03:25Z</when><when>2026-05-03T12:03:30Z</when>
      <gx:coord>10.75 59.91 20</gx:coord><gx:coord></gx:coord><gx:coord>10.76 59.92</gx:coord></gx:Track>
      </Placemark></Document></kml>
      """)
    #expect(points.map(\.place.latitude) == [59.91, 59.92] && points.map(\.place.altitude) == [20, nil])
    #expect(points.map(\.moment) == [try moment("2026-05-03T12:03:20Z"), try moment("2026-05-03T12:03:30Z")])
  }

  @Test func sentencesOfReceiversAreChecked() throws {
    let points = try track(
      """
      $GPGGA,120320,5954.8342,N,01045.1324,E,1,08,0.9,23.5,M,40.0,M,,*75
      $GPRMC,120320,A,5954.8342,N,01045.1324,E,000.0,360.0,030526,,*1C
      $GPRMC,120321,A,5954.8342,N,01045.1324,E,000.0,360.0,030526,,*00
      $GPRMC,120322,V,5954.8342,N,01045.1324,E,000.0,360.0,030526,,
      $GNRMC,120323.50,A,0130.0000,S,17959.9999,W,,,310199,,
      $GPRMC,126000,A,0130.0000,S,17959.9999,W,,,310199,,
      $GPRMC,120323,A,9130.0000,S,17959.9999,W,,,310199,,
      $GPRMC,120324,A,59-1e300,N,01045.0000,E,,,310199,,
      $GPRMC,120325,A,59-10.00,N,01045.0000,E,,,310199,,
      $GPRMC,120326,A,59nan,N,01045.0000,E,,,310199,,
      nonsense
      """)
    try #require(points.count == 2)
    #expect(points.map(\.moment) == [try moment("1999-01-31T12:03:23.5Z"), try moment("2026-05-03T12:03:20Z")])
    #expect(abs(points[1].place.latitude - 59.913_903_3) < 1e-6 && points[1].place.altitude == 23.5)
    #expect(points[0].place.latitude == -1.5 && points[0].place.longitude < -179.99)
  }

  @Test(arguments: [
    ("", TrackFault.empty), (" \n", .empty), ("hello", .unknownFormat), ("{\"a\":1}", .unknownFormat),
    ("<svg/>", .unknownFormat),
    ("<gpx><trk><trkseg>", .damaged), ("<gpx></gpx>", .noTimes), ("<gpx><trkpt lat='1' lon='1'/></gpx>", .noTimes),
    ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", .damaged), ("$GPGGA,1,2,3", .noTimes), ("<gpx><a:b/></gpx>", .damaged),
  ])
  func otherFilesAreRefused(text: String, fault: TrackFault) {
    #expect(throws: fault) { try track(text) }
    #expect(!fault.message.isEmpty)
  }

  @Test func deepFilesAreRefused() {
    let deep = "<gpx>" + String(repeating: "<a>", count: 1000)
    #expect(throws: TrackFault.tooLarge) { try track(deep) }
  }

  /// A long track takes memory for its points alone: its elements are let go.
  @Test func aLongTrackIsRead() throws {
    let start = try moment("2026-05-03T00:00:00Z")
    let points = (0..<20_000).map { second in
      let time = CalendarTime(clock: start + Double(second)).iso8601(offset: 0)
      return "<trkpt lat=\"59.\(second)\" lon=\"10.5\"><ele>1</ele><time>\(time)</time></trkpt>"
    }
    let found = try track("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
    #expect(found.count == 20_000 && found.last?.moment == start + 19_999)
  }

  @Test func aFolderGivesTheTracksThatCanBeRead() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = FilePath(folder.path)
    await #expect(throws: TrackFault.noTracks) { try await TrackService().tracks(at: path) }
    let point = "<trkpt lat='1' lon='1'><time>2026-05-03T12:00:00Z</time></trkpt>"
    for (name, text) in [
      ("b.GPX", "<gpx>\(point)</gpx>"), ("a.gpx", "<gpx>\(point)\(point)</gpx>"), ("c.gpx", "<gpx>"), ("d.txt", ""),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    #expect(try await TrackService().tracks(at: path).map(\.name) == ["a.gpx", "b.GPX"])
    await #expect(throws: TrackFault.damaged) {
      try await TrackService().tracks(at: path.appending(Array("c.gpx".utf8)))
    }
    await #expect(throws: TrackFault.missing) {
      try await TrackService().tracks(at: path.appending(Array("e.gpx".utf8)))
    }
  }
}
