import Foundation
import Gallery
import Photos
import TestLimit
import Testing

@testable import Catalog

@Suite(.limited) final class CatalogCheckTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var path: String { folder + "/photos.json" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder + "/a.jpg"))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func row(_ id: Int, _ more: String = "") -> String {
    #"{"id": \#(id), "name": "N", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"\#(more)}"#
  }

  private func check(_ text: String) throws -> (problems: [String], photoCount: Int) {
    try Data(text.utf8).write(to: URL(filePath: path))
    let (problems, count) = try CatalogCheck(path: FilePath(path)).run()
    return (problems.map(\.message), count)
  }

  private static let whole = #"""
    , "taken_at": "2017-11-06T09:48:50.5-05:00", "width": 6000, "height": 4.0e3, "lens": "L", "exposure_time": 0.005,
    "aperture": 2.8, "focal_length": 50, "iso": 100, "exposure_bias": -1.5, "keywords": ["a", "b"], "stars": 4,
    "label": "Red",
    "latitude": 1.5, "longitude": -2, "altitude": 3, "tags": null, "something": {"else": [1]}, "user": {"fullname": "A"}
    """#

  @Test func aValidCatalogHasNoProblems() throws {
    for text in [
      "[\(row(1, Self.whole)), \(row(2))]", "{\"photos\": [\(row(1))], \"x\": 1}", row(1) + "\n" + row(2), "[]",
      row(1).replacing("a.jpg", with: "https://w.example/x.jpg"),
    ] {
      #expect(try check(text).problems == [], "\(text)")
    }
  }

  @Test(arguments: [
    (#""width": "wide""#, "width is not a number of pixels"), (#""height": 0"#, "height is not a number of pixels"),
    (#""width": 1.5"#, "width is not an integer"), (#""iso": 1e999"#, "iso is not a sensitivity"),
    (#""lens": 5"#, "lens is not a string"), (#""exposure_time": "1/0""#, "exposure_time is not a time in seconds"),
    (#""aperture": -1"#, "aperture is not an f-number"), (#""aperture": "f/big""#, "aperture is not an f-number"),
    (#""shutter_speed": "0x10""#, "exposure_time is not a time in seconds"),
    (#""latitude": "33.5 S", "longitude": 1"#, "latitude is not from -90 to 90 degrees"),
    (#""iso": "1/2""#, "iso is not a sensitivity"), (#""iso": "nan""#, "iso is not a sensitivity"),
    (#""exposure_bias": 100"#, "exposure_bias is not an exposure bias in EV"),
    (#""exposure_bias": "1/3 EV""#, "exposure_bias is not an exposure bias in EV"),
    (#""focal_length": {}"#, "focal_length is not a length in millimeters"),
    (#""keywords": "a""#, "keywords is not a list of strings"),
    (#""keywords": ["a", 1]"#, "keywords contains something that is not a string"),
    (#""stars": 6"#, "stars is not from -1 to 5"),
    (#""label": []"#, "label is not a string"), (#""altitude": true"#, "altitude is not an altitude in meters"),
    (#""taken_at": "yesterday""#, "taken_at must be an ISO 8601 date and time, with or without a time zone"),
    (#""latitude": 91, "longitude": 1"#, "latitude is not from -90 to 90 degrees"),
  ])
  func anInvalidOptionalValueIsReportedButDoesNotSkipThePhoto(member: String, problem: String) throws {
    let text = "[\n\(row(1)),\n\(row(2, ", " + member))]"
    let column = row(2).utf8.count + 2 + (member.firstRange(of: ": ").map { member[..<$0.upperBound].utf8.count } ?? 0)
    let (problems, count) = try check(text)
    #expect(problems.first == "line 3, column \(column) (photo 2): \(problem)")
    #expect(count == 2)
    var reader = CatalogReader(base: FilePath(folder))
    Array(text.utf8).withUnsafeBytes { reader.feed($0) }
    reader.finish()
    #expect(reader.problems.count == 0)
  }

  /// A name of megabytes would be laid out with each frame.
  @Test func aTextThatIsTooLongToBeShownIsRefused() throws {
    let (longest, tooLong) = (String(repeating: "x", count: 65_536), String(repeating: "x", count: 65_537))
    let rows = [
      row(1, #", "lens": "\#(longest)""#), row(2, #", "lens": "\#(tooLong)""#),
      row(3, #", "description": "\#(tooLong)""#),
    ]
    let (problems, count) = try check("[\(rows.joined(separator: ",\n"))]")
    let reasons = problems.map { $0.split(separator: "(").last.map(String.init) }
    #expect(
      reasons == [
        "photo 2): lens must not be longer than 65 kB", "photo 3): description must not be longer than 65 kB",
      ])
    #expect(count == 2)
  }

  @Test func problemsThatReadingIgnoresAreReported() throws {
    let rows = [
      row(1), row(1), row(3).replacing("a.jpg", with: "b.jpg"), row(4, #", "name": "again""#),
      row(5, #", "latitude": 5"#), row(6).replacing("50Z", with: "50"), #"{"id": "x", "name": 1}"#, "7",
    ]
    let (problems, count) = try check("[\(rows.joined(separator: ",\n"))]")
    #expect(
      problems == [
        "line 2, column 8 (photo 2): an earlier photo has the same id, 1",
        "line 3, column 75 (photo 3): image_url names a missing file: “b.jpg”",
        "line 4, column 84 (photo 4): name is repeated; the last one wins",
        "line 5, column 96 (photo 5): latitude and longitude must both be given",
        "line 6, column 38 (photo 6): created_at must be an ISO 8601 date with a time zone, got “2017-11-06T14:48:50”",
        "line 7, column 1 (photo 7): created_at is missing", "line 7, column 1 (photo 7): image_url is missing",
        "line 7, column 8 (photo 7): id is not an integer", "line 7, column 21 (photo 7): name is not a string",
        "line 8, column 1 (photo 8): the photo is not an object",
      ])
    #expect(count == 5)
  }

  /// The first photo has the members that 500px writes. Some of its numbers are strings.
  @Test func numbersOf500pxThatAreStringsAreValid() throws {
    let text = #"""
      {"feature": "popular", "filters": {"category": false}, "current_page": 1, "total_pages": 250, "photos": [
      {"id": 4910421, "user_id": 1, "name": "Orange", "description": "", "camera": "Canon EOS 600D", "lens": "",
       "focal_length": "24", "iso": "1000", "shutter_speed": "1/640", "aperture": "5.6", "times_viewed": 709,
       "rating": 97.4, "status": 1, "created_at": "2012-02-09T02:27:16-05:00", "category": 0, "location": null,
       "latitude": null, "longitude": null, "taken_at": null, "for_sale": false, "width": 472, "height": 709,
       "tags": ["orange"], "image_url": "a.jpg", "images": [{"size": 3, "url": "a.jpg"}], "license_type": 0,
       "user": {"id": 1, "fullname": "B"}},
      {"id": 2, "name": "B", "created_at": "2012-02-09T02:27:16-05:00", "image_url": "a.jpg", "iso": "", "aperture": " ",
       "focal_length": "35 mm", "exposure_bias": "+1.5 EV", "shutter_speed": "30 sec", "aperture": "f/1.8", "latitude": "-33.5",
       "longitude": "151.25"}]}
      """#
    // The second photo has an aperture twice.
    #expect(try check(text).problems.map { $0.contains("aperture is repeated") } == [true])
    var reader = CatalogReader(base: FilePath("/f"))
    Array(text.utf8).withUnsafeBytes { reader.feed($0) }
    reader.finish()
    let metadata = reader.photos.map(\.metadata)
    #expect(metadata.map { $0?.iso } == [1000, nil])
    #expect(metadata.map { $0?.exposureTime } == [1.0 / 640, 30])
    #expect(metadata.map { $0?.fNumber } == [5.6, 1.8])
    #expect(metadata.map { $0?.focalLength } == [24, 35])
    #expect(metadata.map { $0?.exposureBias } == [nil, 1.5])
    #expect(metadata.map { $0?.place } == [nil, PhotoMetadata.Place(latitude: -33.5, longitude: 151.25)])
    #expect(metadata[0]?.lens == nil)
  }

  @Test func onlyTheLastOfTwoListsIsChecked() throws {
    let text = #"{"photos": [\#(row(1)), {"id": 2}], "x": 5,\#n"photos": [\#(row(1)), {"id": 4}]}"#
    let (problems, count) = try check(text)
    #expect(count == 1)
    #expect(problems.first == "line 2, column 1: photos is repeated; the last one wins")
    #expect(problems.dropFirst().allSatisfy { $0.contains("(photo 2): ") } && problems.count == 4, "\(problems)")
  }

  @Test func everyProblemIsReported() throws {
    #expect(try check(String(repeating: "{}\n", count: 3000)).problems.count == 12_000)
    #expect(try check("{}").problems == ["line 1, column 1: photos is missing"])
    #expect(throws: APIError.notFound(path: folder + "/none.json")) {
      try CatalogCheck(path: FilePath(folder + "/none.json")).run()
    }
  }

  private static func document(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    return try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
  }

  @Test func theExampleInTheDocumentIsAValidCatalog() throws {
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder + "/photos/bridge.jpg"))
    let text = try Self.document("catalog.md")
    let example = try #require(text.split(separator: "```json\n").last?.split(separator: "```").first)
    #expect(try check(String(example)) == ([], 1))
  }

  @Test func theSchemaAndTheDocumentHaveTheReadersNames() throws {
    let schema = try JSONSerialization.jsonObject(with: Data(Self.document("catalog.schema.json").utf8))
    let photo = ((schema as? [String: Any])?["$defs"] as? [String: Any])?["photo"] as? [String: Any]
    let names =
      CatalogRow.Field.allCases.map(\.rawValue).filter { $0 != "user.fullname" }
      + MetadataField.all.compactMap(\.names.first)
    #expect((photo?["properties"] as? [String: Any])?.keys.sorted() == names.sorted())
    #expect(photo?["required"] as? [String] == ["id", "name", "created_at", "image_url"])
    let rows = try Self.document("catalog.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    for name in names { #expect(rows.contains { $0.contains("`\(name)`") }, "\(name)") }
  }
}
