import Finding
import Foundation
import Gallery
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoDetailTests {
  @Test func theDetailHasEachKnownField() {
    let detail = PhotoDetail(
      photo("A", isForSale: true, camera: "X100", description: "one\ntwo"))
    #expect(detail.fields.map(\.label) == ["Date", "Camera", "Path", "License"])
    #expect(detail.groups.map(\.heading) == ["Capture", "File", "Rights"])
    #expect(detail.description == ["one", "two"])
    #expect(detail.author == "N")
  }

  @Test func metadataIsWrittenAsPhotographersDo() {
    var metadata = PhotoMetadata()
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength, metadata.iso) = (0.004, 2.8, 35, 400)
    (metadata.width, metadata.height, metadata.rating, metadata.lens) = (6000, 4000, 4, "XF35mm")
    metadata.place = PhotoMetadata.Place(latitude: -33.85675, longitude: 151.21496)
    metadata.keywords = ["harbour", "for sale"]
    metadata.fileSize = 24_600_000
    let photo = Photo(
      id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg", image: .file("/a.jpg"),
      metadata: metadata)
    let fields = PhotoDetail(photo).fields.map { "\($0.label): \($0.value)" }
    for field in [
      "Lens: XF35mm", "Exposure: 1/250 s, f/2.8, 35 mm, ISO 400", "Pixels: 6000×4000", "Size: 24 MB",
      "Place: 33.8568° S, 151.2150° E", "Rating: ★★★★", "Keywords: harbour, for sale",
    ] { #expect(fields.contains(field), "\(fields)") }
  }

  @Test(
    arguments: [
      (.leastNonzeroMagnitude, nil), (1e-30, nil), (0, nil), (-1, nil), (.nan, nil), (1e-5, "1/100000 s"),
      (0.3, "0.3 s"), (1e300, "? s"), (.infinity, "? s"),
    ] as [(Double, String?)])
  func anyExposureTimeHasAText(seconds: Double, text: String?) {
    var metadata = PhotoMetadata()
    metadata.exposureTime = seconds
    #expect(metadata.exposureText == text)
  }

  @Test(
    arguments: [
      (nil, nil), (0, nil), (-0.04, nil), (2, "+2 EV"), (1.0 / 3, "+0.3 EV"), (-1.0 / 3, "−0.3 EV"),
      (-5.0 / 3, "−1.7 EV"), (.nan, nil),
    ] as [(Double?, String?)])
  func anExposureBiasIsShownWithItsSign(bias: Double?, text: String?) {
    var metadata = PhotoMetadata()
    metadata.exposureBias = bias
    metadata.check()
    #expect(metadata.exposureText == text)
    metadata.iso = 400
    #expect(metadata.exposureText == (text.map { "ISO 400, \($0)" } ?? "ISO 400"))
  }

  /// The date of a file is never shown as the date on which the photo was taken.
  @Test func theDateOfAFileIsCalledSo() {
    func labels(hasFileDate: Bool, takenAt: CaptureTime?) -> [String] {
      var metadata = PhotoMetadata()
      metadata.takenAt = takenAt
      let photo = Photo(
        id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg", image: .file("/a.jpg"),
        metadata: metadata)
      return PhotoDetail(photo, hasFileDate: hasFileDate).fields.map(\.label)
    }
    #expect(labels(hasFileDate: true, takenAt: nil) == ["Path", "Written"])
    #expect(labels(hasFileDate: true, takenAt: CaptureTime(clock: 0)) == ["Taken", "Path"])
    #expect(labels(hasFileDate: false, takenAt: nil) == ["Date", "Path"])
  }

  /// The place of a photo is guessed from its position unless the photo has a text about it.
  @Test func aPlaceWithoutWordsIsNamedAfterTheNearestCity() {
    func location(_ change: (inout PhotoMetadata) -> Void) -> String? {
      var metadata = PhotoMetadata()
      change(&metadata)
      let photo = Photo(
        id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg", image: .file("/a.jpg"),
        metadata: metadata)
      return PhotoDetail(photo).fields.first { $0.label == "Location" }?.value
    }
    let lisbon = PhotoMetadata.Place(latitude: 38.7139, longitude: -9.1394)
    #expect(location { $0.place = lisbon } == "near Lisbon, Portugal")
    #expect(location { ($0.place, $0.location) = (lisbon, "Castle") } == "Castle")
    #expect(location { ($0.place, $0.city) = (lisbon, "Lisboa") } == "Lisboa")
    #expect(location { ($0.place, $0.countryCode) = (lisbon, "PT") } == "PT")
    #expect(location { $0.place = .init(latitude: 30, longitude: -40) } == nil)
    #expect(location { $0.latitude = 38.7 } == nil)
    #expect(location { _ in } == nil)
  }

  @Test func placesAndImagesAreLinks() throws {
    var metadata = PhotoMetadata()
    metadata.place = PhotoMetadata.Place(latitude: -33.85675, longitude: 0.01)
    func links(_ image: ImageLocation) -> [String: String] {
      let photo = Photo(
        id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg", image: image,
        metadata: metadata)
      return PhotoDetail(photo).fields.reduce(into: [:]) { $0[$1.label] = $1.link }
    }
    let file = links(.file("/a b/ü.jpg"))
    #expect(
      file["Place"]
        == "https://www.openstreetmap.org/?mlat=-33.85675&mlon=0.01000#map=15/-33.85675/0.01000")
    #expect(try #require(file["Path"]).wholeMatch(of: /file:\/\/[^\/]*\/a%20b\/%C3%BC\.jpg/) != nil)
    #expect(links(.web("https://a.test/b c?d=%20"))["Address"] == "https://a.test/b%20c?d=%20")
  }

  @Test(arguments: [
    ("lens:35", "Lens", "XF[35]mm"), ("lens:35", "Camera", "XF35mm"), ("35", "Lens", "XF35mm"),
    ("sea", "Keywords", "[sea], night"), ("keyword:sea", "Keywords", "[sea], night"), ("sea", "Place", "sea"),
    ("x100", "Camera", "[X100]"), ("jpg", "Path", "a.[jpg]"), ("sea", nil, "the [sea]"), ("lens:35", nil, "35"),
  ])
  func matchesAreHighlightedInTheLinesOfTheirFields(query: String, label: String?, expected: String) throws {
    let detail = PhotoDetail(photo("A"), query: try PhotoQuery(query, now: CalendarTime(clock: 0)))
    let line = expected.filter { !"[]".contains($0) }
    let shown = detail.found(in: line, label: label).reversed().reduce(line) { text, range in
      text[..<range.lowerBound] + "[" + text[range] + "]" + text[range.upperBound...]
    }
    #expect(shown == expected)
  }
}
