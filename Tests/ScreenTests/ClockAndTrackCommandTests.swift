import Foundation
import Harness
import TestLimit
import Testing

/// The right time and the right place, in the shell and in the gallery.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) struct ClockAndTrackCommandTests {
  private let folder: CommandFolder

  /// The photos have times in their sidecars: chelsea before coffee.
  init() throws {
    folder = try CommandFolder(configuration: "sort = \"date\"")
    for (name, time) in [("chelsea", "2026-05-03T13:03:20"), ("coffee", "2026-05-03T13:30:00")] {
      try folder.write(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        exif:DateTimeOriginal="\(time)" tiff:Model="\(name == "coffee" ? "R5" : "X100V")"/></rdf:RDF></x:xmpmeta>
        """, to: "in/\(name).jpg.xmp")
    }
    let points = (0..<60).map { minute in
      """
      <trkpt lat="59.9" lon="10.\(minute + 10)"><ele>-3.5</ele><time>2026-05-03T11:\(minute < 10 ? "0" : "")\(minute):00Z</time></trkpt>
      """
    }
    try folder.write("<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>", to: "walk.gpx")
  }

  @Test func theShellCorrectsTheClockOfOneCamera() async throws {
    let dry = try await folder.run("\"$0\" clock in --camera x100 --photo chelsea.jpg --at 14:03:20 --dry-run")
    #expect(dry.code == 0 && dry.output == "\(folder.url.path)/in/chelsea.jpg\n  Time: 2026-05-03T14:03:20\n", "\(dry)")
    let first = try await folder.run("\"$0\" clock in --camera x100 --by +1:00 && \"$0\" list in")
    #expect(first.code == 0 && first.output.hasPrefix("1 photo changed\n"), "\(first)")
    #expect(first.output.contains("chelsea.jpg\n2026-05-03 14:03, X100V"), "\(first)")
    #expect(folder.sidecar("chelsea.jpg")?.contains("2026-05-03T14:03:20") == true)
    let zone = try await folder.run("\"$0\" clock in --clock-zone Europe/Berlin --zone Asia/Kathmandu")
    #expect(zone.code == 0 && zone.output == "2 photos changed\n", "\(zone)")
    #expect(folder.sidecar("coffee.jpg")?.contains("2026-05-03T17:15:00+05:45") == true)
    let session = try await folder.start()
    defer { session.close() }
    for text in ["Undone: Time Asia/Kathmandu: 2 photos", "Undone: Time +1:00:00: chelsea.jpg"] {
      session.type("u")
      try await session.waitForText(text)
    }
    session.type("q")
    _ = try await session.waitForExit()
    #expect(folder.sidecar("chelsea.jpg")?.contains("2026-05-03T13:03:20") == true)
    #expect(folder.sidecar("coffee.jpg")?.contains("2026-05-03T13:30:00") == true)
  }

  @Test(arguments: [
    ("--by hour", "“hour” isn’t a difference."), ("--zone Mars", "There is no time zone “Mars”."),
    ("", "Name a correction"),
    ("--at 14:00", "--at and --photo need each other."), ("--at 14:00 --photo x.jpg", "No photo is called “x.jpg”."),
    ("--at noon --photo coffee.jpg", "“noon” isn’t a time."), ("--by 1:00 --at 2:00 --photo a", "in two ways"),
  ])
  func wrongCorrectionsAreRefused(options: String, message: String) async throws {
    let run = try await folder.run("\"$0\" clock in \(options)")
    #expect(run.code == 64 && run.errors.contains(message), "\(run)")
  }

  @Test func theGalleryCorrectsAClock() async throws {
    let session = try await folder.start()
    defer { session.close() }
    // The latest photo comes first.
    session.type("j")
    try await session.waitForText("2/2")
    session.press(.function(3))
    try await session.waitForText("Time of chelsea")
    try await session.waitForText("all of X100V: 1")
    session.type("14:03:20")
    try await session.waitForText("+1:00:00")
    try await session.waitForText("chelsea.jpg: 2026-05-03 13:03:20 → 2026-05-03 14:03:20")
    session.press(.enter)
    try await session.waitForText("Time +1:00:00: chelsea")
    // The list is sorted again once the sidecar has been read.
    try await session.wait(for: "the new order") { screen in
      let lines = screen.lines
      guard let coffee = lines.firstIndex(where: { $0.contains("coffee") }),
        let chelsea = lines.firstIndex(where: { $0.contains("chelsea") })
      else { return false }
      return chelsea < coffee
    }
    session.type("q")
    _ = try await session.waitForExit()
    #expect(folder.sidecar("chelsea.jpg")?.contains("2026-05-03T14:03:20") == true)
  }

  @Test func aTrackGivesPositions() async throws {
    let dry = try await folder.run("TZ=Europe/Berlin \"$0\" geotag walk.gpx in --dry-run")
    #expect(
      dry.code == 0 && dry.output.contains("in/coffee.jpg\n  Latitude: 59,54.000000N\n  Longitude: 10,24.000000E\n"),
      "\(dry)")
    #expect(dry.errors.contains("R5: clock at UTC+02:00 (guessed: your time zone)"), "\(dry)")
    #expect(folder.sidecar("coffee.jpg")?.contains("GPS") == false)
    let made = try await folder.run(
      "\"$0\" geotag walk.gpx in --clock-zone +02:00 && \"$0\" list in near:59.9,10.4,1km")
    #expect(made.code == 0 && made.output.hasPrefix("2 photos changed\n"), "\(made)")
    #expect(made.output.contains("in/coffee.jpg\n") && !made.output.contains("chelsea"), "\(made)")
    let sidecar = try #require(folder.sidecar("coffee.jpg"))
    #expect(
      sidecar.contains("35/10") && !sidecar.contains("-35/10") && sidecar.contains("GPSAltitudeRef"), "\(sidecar)")
    let again = try await folder.run("\"$0\" geotag walk.gpx in --clock-zone +02:00")
    #expect(again.code == 0 && again.output == "0 photos changed\n", "\(again)")
    let exported = try await folder.run(
      "\"$0\" export in/coffee.jpg --to out --metadata all && \"$0\" list out near:59.9,10.4,1km")
    #expect(exported.output.hasSuffix("/out/coffee.jpg\n\n"), "\(exported)")
    let date = try await folder.run("\"$0\" list out date:2026-05-03")
    #expect(date.output.hasSuffix("/out/coffee.jpg\n\n"), "\(date)")
    let session = try await folder.start()
    defer { session.close() }
    session.type("u")
    try await session.waitForText("Undone: Positions of walk.gpx: 2 photos")
    session.press(.function(4))
    try await session.waitForText("Positions from a track")
    session.type("\(folder.url.path)/walk.gpx")
    try await session.waitForText("1 track, 60 points")
    session.press(.escape)
    try await session.wait(for: "the list") { !$0.text.contains("Positions from a track") }
    session.type("q")
    _ = try await session.waitForExit()
    #expect(folder.sidecar("coffee.jpg")?.contains("GPS") == false)
  }

  @Test func aDamagedTrackIsRefused() async throws {
    try folder.write("<gpx><trk>", to: "cut.gpx")
    let run = try await folder.run("\"$0\" geotag cut.gpx in")
    #expect(run.code == 1 && run.errors == "cut.gpx: The file is damaged: its XML is not well-formed.\n", "\(run)")
  }
}
