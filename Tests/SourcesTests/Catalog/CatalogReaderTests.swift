import Foundation
import Gallery
import HTTP
import TestLimit
import Testing

@testable import Catalog
@testable import Photos

@Suite(.limited) struct CatalogReaderTests {
  /// Reads a catalog in pieces of the given number of bytes.
  private func read(_ json: String, pieces: Int = .max) -> CatalogReader {
    read(Array(json.utf8), pieces: pieces)
  }

  private func read(_ json: [UInt8], pieces: Int = .max, leastBytesOfTwo: Int = .max) -> CatalogReader {
    var reader = CatalogReader(base: FilePath("/f"), leastBytesOfTwo: leastBytesOfTwo, audit: nil)
    var rest = json[...]
    while !rest.isEmpty {
      rest.prefix(pieces).withUnsafeBytes { reader.feed($0) }
      rest = rest.dropFirst(pieces)
    }
    reader.finish()
    return reader
  }

  private func row(_ id: Int, _ more: String = "") -> String {
    #"{"id": \#(id), "name": "N\#(id)", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"\#(more)}"#
  }

  private func ids(_ reader: CatalogReader) -> [Int] { reader.photos.map(\.id) }

  @Test func everyShapeOfCatalogIsRead() {
    let rows = [row(1), row(2), row(3)]
    let shapes = [
      #"{"photos": [\#(rows.joined(separator: ","))]}"#,
      #"{"a": {"photos": [1]}, "b": [[{}]], "photos": [\#(rows.joined(separator: ",\n"))], "c": "]}"}"#,
      #"{"total_pages": 3, "\u0070hotos": [\#(rows.joined(separator: ", "))]}"#,
      "[\(rows.joined(separator: ","))]", rows.joined(separator: "\n"), rows.joined(separator: "\r\n") + "\r\n",
      "\u{FEFF}" + rows.joined(), rows.joined(separator: "\n\n").replacing(",", with: ",\n  "),
    ]
    for shape in shapes {
      for pieces in [1, 7, .max] {
        let reader = read(shape, pieces: pieces)
        #expect(ids(reader) == [1, 2, 3], "\(shape) in pieces of \(pieces)")
        #expect(reader.problems.first == [], "\(shape) in pieces of \(pieces)")
      }
    }
  }

  @Test func theLastOfTwoListsCounts() {
    let text = #"{"photos": [\#(row(1)), 5, \#(row(2))], "x": {}, "photos": [\#(row(3)), 6]}"#
    for pieces in [1, 7, .max] {
      let reader = read(text, pieces: pieces)
      #expect(ids(reader) == [3])
      #expect(reader.problems.first.map(\.place.row) == [2])
    }
    for (last, reason) in [("[]", nil), ("null", "photos is not a list")] {
      let reader = read(#"{"photos": [\#(row(1)), 5], "photos": \#(last)}"#, pieces: 3)
      #expect(reader.photos.isEmpty)
      #expect(reader.problems.first.map(\.reason) == [reason].compactMap(\.self))
    }
  }

  /// The reason is the problem of the object if it is meant as a photo. For other objects, it is that `photos` is
  /// missing.
  @Test(arguments: [
    (
      #"{"id": 1, "name": "A", "created_at": "yesterday", "image_url": "a.jpg"}"#, "created_at must be an ISO 8601 date"
    ),
    (#"{"id": 1, "name": "A"}"#, "created_at is missing"), (#"{"name": 5, "image_url": "a.jpg"}"#, "id is missing"),
    (#"{"error": "gone"}"#, "photos is missing"), (#"{"name": "NotFound", "status": 404}"#, "photos is missing"),
    ("{}", "photos is missing"),
  ])
  func aTextWithoutPhotosReportsTheReason(text: String, reason: String) {
    for pieces in [1, .max] {
      let problems = read(text, pieces: pieces).problems.first.map(\.reason)
      #expect(problems.count == 1 && problems[0].hasPrefix(reason), "\(problems)")
    }
  }

  @Test func aWebPageIsReported() {
    for start in ["<html>", " \n<!DOCTYPE html>", "\u{FEFF}<?xml version=\"1.0\"?>"] {
      #expect(read(start).problems.first.map(\.reason) == ["this is a web page or XML, not a catalog"])
    }
  }

  @Test func otherMembersOfTheCatalogCanFollowThePhotos() {
    let text = #"{"photos": [\#(row(1))], "total_items": 90, "x": [null], "current_page": 2, "total_pages": 41}"#
    for pieces in [1, .max] {
      let reader = read(text, pieces: pieces)
      #expect([reader.pageNumber, reader.totalPages, reader.totalItems] == [2, 41, 90])
      #expect(reader.photos.count == 1)
      #expect(reader.problems.count == 0)
    }
  }

  @Test func emptyListHasNoPhotosAndNoProblem() {
    for text in ["[]", #"{"photos": []}"#, " [ ]\n"] {
      #expect(read(text).photos.isEmpty)
      #expect(read(text).problems.count == 0, "\(text)")
    }
  }

  @Test func membersCanHaveAnyOrderAndTheLastDuplicateCounts() throws {
    let reader = read(
      #"[{"user": {"fullname": 1, "fullname": "A", "id": 7}, "image_url": "b/c.jpg", "name": 5, "n\u0061me": "x\"\u00e9"#
        + #"\ud83d\ude00\/\n", "for_sale": true, "for_sale": null, "id": "x", "id": 3.0, "license": null, "id": -4e1,"#
        + #" "camera": "c", "created_at": "2017-11-06T14:48:50\u005a", "description": "a\r\nb"}]"#)
    #expect(reader.problems.first == [])
    let photo = try #require(reader.photos.first)
    #expect(
      photo
        == Photo(
          id: -40, name: "x\"é😀/ ", description: "a\nb", createdAt: Date(timeIntervalSince1970: 1_509_979_730),
          imageURL: "b/c.jpg", image: .file("/f/b/c.jpg"), isForSale: nil, camera: "c", author: "A"))
  }

  @Test func metadataIsReadFromTheMembersOfAPhoto() throws {
    let members =
      #", "taken_at": "2003-12-14T12:01:44.25-03:30", "camera": "C", "description": "D", "width": 6000, "height": 4e3,"#
      + #" "lens": "\u004c\u001b", "exposure_time": 0.005, "aperture": 2.8, "focal_length": 50, "iso": 100,"#
      + #" "keyw\u006frds": ["a", 5, "b"], "stars": -1, "label": "Red", "latitude": -33.5, "longitude": 151.25,"#
      + #" "altitude": 3, "rating": 99.5"#
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 1_071_403_304.25, offset: -12_600)
    (expected.width, expected.height, expected.lens) = (6000, 4000, "L\u{FFFD}")
    (expected.camera, expected.caption, expected.title) = ("C", "D", "N1")
    (expected.exposureTime, expected.fNumber, expected.focalLength, expected.iso) = (0.005, 2.8, 50, 100)
    (expected.keywords, expected.rating, expected.label) = (["a", "b"], -1, "Red")
    expected.place = PhotoMetadata.Place(latitude: -33.5, longitude: 151.25, altitude: 3)
    for pieces in [1, .max] {
      let reader = read("[\(row(2)), \(row(1, members)), \(row(3, #", "rating": 5"#))]", pieces: pieces)
      #expect(reader.photos.map(\.metadata) == [nil, expected, nil])
      #expect(reader.problems.count == 0)
    }
    let tags = read("[\(row(1, #", "tags": ["x"], "width": 5, "width": null"#))]").photos.first?.metadata
    #expect(tags?.keywords == ["x"])
    #expect(tags?.width == 0)
    // A photo with invalid JSON in its metadata is skipped, too.
    #expect(read("[\(row(1, #", "keywords": ["a" 5]"#)), \(row(2))]").photos.map(\.id) == [2])
  }

  @Test(arguments: [
    (#"{"id": 1,, "tags": [{"id": 5}, {"id": 6}]}"#, "expected a key in quotes, got “,”"),
    (#"{"id": 1 "name": "x"}"#, "expected a comma or “}”, got “\"”"),
    (#"{id: 1, "user": {}}"#, "expected a key in quotes, got “i”"),
    (#"{"id": 01}"#, "a number starts with 0"), (#"{"id": 1"#, "expected a key in quotes, got “{”"),
    (#"{"id": 1, "name": "x}"#, "a string contains a control character"),
    (#"{"id": 1, "name": "x, "camera": "y"}"#, "expected a comma or “}”, got “c”"),
    (#"{"id": [1}"#, "expected a comma or “]”, got “}”"), ("{}", "id is missing"),
    ("[1, 2]", "the photo is not an object"), ("tru", "expected a value, got “t”"),
    (#"{"id": 1, "name": "\uDC00"}"#, "half of a surrogate pair"),
    (#"{"id": 1, "name": "\x"}"#, "unknown escape sequence"),
  ])
  func onlyTheInvalidRowIsSkipped(bad: String, reason: String) {
    for pieces in [1, 11, .max] {
      for (start, separator, end) in [("[\n", ",\n", "\n]"), (#"{"photos": ["#, "\n, ", "]}"), ("", "\n", "\n")] {
        let text = start + [row(1), row(2), bad, row(4), row(5)].joined(separator: separator) + end
        let reader = read(text, pieces: pieces)
        #expect(ids(reader) == [1, 2, 4, 5], "\(text)")
        #expect(reader.problems.count == 1, "\(reader.problems.first)")
        #expect(reader.problems.first.first?.place.row == 3, "\(text)")
        let line = (start + separator + separator).count { $0 == "\n" } + 1
        // If the row has no end, the fault is at the start of the next row.
        #expect([line, line + 1].contains(reader.problems.first.first?.place.line), "\(text)")
        if start == "[\n" { #expect(reader.problems.first.first?.reason == reason) }
      }
    }
  }

  /// These faults end the reading, but the rows before them are kept.
  @Test(arguments: [
    ("[ROW", "expected a comma or “]”, but the text ends"), ("[ROW,", "expected a value, but the text ends"),
    ("[ROW, {\"id\": 2, \"na", "the string that starts here has no closing quote"),
    ("[ROW,]", "expected a value, got “]”"),
    ("[ROW]]", "expected the end of the text, got “]”"),
    ("[ROW] // x", "expected the end of the text, got “/”"),
    ("{\"photos\": [ROW]", "expected a comma or “}”, but the text ends"),
    ("{\"photos\": [ROW], x}", "expected a key in quotes, got “x”"),
    ("[ROW ROW]", "expected a comma or “]”, got “{”"),
  ])
  func aFaultAfterTheLastRowSkipsNoRow(text: String, reason: String) {
    for pieces in [1, .max] {
      let reader = read(text.replacing("ROW", with: row(1)), pieces: pieces)
      #expect(reader.photos.first?.id == 1)
      #expect(reader.problems.first.map(\.reason) == [reason])
    }
  }

  @Test func deepNestingAndLongNumbersAreRead() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let objects = String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000)
    let digits = String(repeating: "9", count: 1_000_000)
    let rows = [
      row(1, #", "x": \#(deep)"#), row(2, #", "x": \#(objects)"#), row(3, #", "x": \#(digits)"#),
      row(4).replacing("4,", with: digits + ",", maxReplacements: 1),
      row(5).replacing("5,", with: "5." + digits + ",", maxReplacements: 1), row(6),
    ]
    let reader = read("[\(rows.joined(separator: ","))]", pieces: 1 << 16)
    #expect(ids(reader) == [1, 2, 3, 6])
    #expect(reader.problems.first.map(\.place.row) == [4, 5])
    #expect(read(String(repeating: "[", count: 1_000_000)).problems.count == 1)
  }

  @Test func aPhotoThatIsTooLongEndsTheReading() {
    var reader = CatalogReader(base: FilePath("/f"), mostBytesOfOne: 1000)
    Array("[\(row(1)),\n{\"id\": 2, \"name\": \"".utf8).withUnsafeBytes { reader.feed($0) }
    for _ in 0..<3000 { Array("x".utf8).withUnsafeBytes { reader.feed($0) } }
    reader.finish()
    #expect(ids(reader) == [1])
    #expect(reader.problems.first.map(\.message) == ["line 2, column 1 (photo 2): this is longer than 1000 bytes"])
  }

  @Test func whiteSpaceDoesNotCountTowardTheSizeLimit() {
    var reader = CatalogReader(base: FilePath("/f"), mostBytesOfOne: 1000)
    Array("[".utf8).withUnsafeBytes { reader.feed($0) }
    for _ in 0..<3000 { Array("\n".utf8).withUnsafeBytes { reader.feed($0) } }
    Array("\(row(1)), {}]".utf8).withUnsafeBytes { reader.feed($0) }
    reader.finish()
    #expect(ids(reader) == [1])
    #expect(reader.problems.first.map(\.place.line) == [3001])
  }

  /// The damage is derived from a seed, so that a failure can be reproduced.
  @Test(arguments: 1...40) func aDamagedCatalogReadsTheSameInAnyPieces(seed: UInt64) {
    var random = seed
    func next(below bound: Int) -> Int {
      // The linear congruential generator of Knuth's MMIX.
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    let marks = Array("{}[],:\"\\\n 0e-tué".utf8) + [0, 0x80, 0xFF]
    let rows = (1...6).map { row($0, #", "user": {"fullname": "é\ud83d\ude00"}, "x": [{"y": [1e5, null]}]"#) }
    for text in [
      "[\(rows.joined(separator: ",\n"))]", "{\"photos\":[\(rows.joined(separator: ","))]}",
      rows.joined(separator: "\n"),
    ] {
      var bytes = Array(text.utf8)
      for _ in 0...next(below: 3) {
        let place = next(below: bytes.count)
        switch next(below: 3) {
        case 0: bytes[place] = marks[next(below: marks.count)]
        case 1: bytes.insert(marks[next(below: marks.count)], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(below: 9)))
        }
      }
      let whole = read(bytes)
      for pieces in [1, 13] {
        let reader = read(bytes, pieces: pieces)
        #expect(reader.photos.elementsEqual(whole.photos), "\(String(decoding: bytes, as: UTF8.self))")
        #expect(reader.problems == whole.problems, "\(String(decoding: bytes, as: UTF8.self))")
      }
      let two = read(bytes, leastBytesOfTwo: 1)
      #expect(two.photos.elementsEqual(whole.photos), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(two.problems == whole.problems, "\(String(decoding: bytes, as: UTF8.self))")
      let isJSON = JSONSyntax.firstFault(in: Data(bytes)) == nil
      if text.first != "{" || text.contains("photos"), !isJSON { #expect(whole.problems.count > 0) }
    }
  }

  /// The catalogs have invalid photos in both halves, objects and texts that look like the beginning of a photo, and
  /// metadata in some photos only.
  @Test(arguments: ["[ROWS]", "{\"total_pages\": 3, \"photos\": [ROWS], \"total_items\": 4}", "ROWS"])
  func aLargeCatalogReadsTheSameOnTwoCores(shape: String) {
    let rows = (1...4000).map { id in
      switch id % 997 {
      case 5: #"{"id": \#(id), "name": 1}"#
      case 300: "{\"id\": \(id), \n oops}"
      case 600..<700: row(id, #", "x": [{"id": 1}, {"id": 2}], "description": "{\"id\": 1, \"name\": \"x\"}""#)
      case 800..<850: row(id, #", "iso": \#(id), "keywords": ["k"]"#)
      default: row(id, #", "user": {"fullname": "A \#(id)"}"#)
      }
    }
    for separator in [",", " ,\n\n  "] where shape != "ROWS" || separator == "," {
      let text = shape.replacing("ROWS", with: rows.joined(separator: shape == "ROWS" ? "\n" : separator))
      let one = read(Array(text.utf8))
      #expect(one.photos.count > 3900 && one.problems.count > 4)
      for pieces in [1 << 15, 100_003, .max] {
        let two = read(Array(text.utf8), pieces: pieces, leastBytesOfTwo: 1 << 14)
        #expect(two.photos.elementsEqual(one.photos))
        #expect(two.problems == one.problems)
        #expect([two.pageNumber, two.totalPages, two.totalItems] == [one.pageNumber, one.totalPages, one.totalItems])
      }
    }
  }

  @Test func allProblemsAreCountedButOnlyTheFirstAreKept() {
    let reader = read(String(repeating: "{}\n", count: 5000) + row(1), pieces: 4096)
    #expect(reader.problems.count == 5000)
    #expect(reader.problems.first.count == CatalogProblems.mostKept)
    #expect(reader.problems.first.last?.place.line == 1000)
    #expect(ids(reader) == [1])
  }

  @Test(arguments: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59+00:00"])
  func datesCanBeFromYear0To9999(text: String) {
    let photo = read(row(1).replacing("2017-11-06T14:48:50Z", with: text)).photos.first
    #expect(photo?.createdAt == Timestamp(text)?.date)
  }

  /// Texts that are JSON or not: the cases of this project, and those of the corpus if it is available.
  private static let cases: [(name: String, isJSON: Bool?, text: [UInt8])] = {
    let files = JSONSyntaxTests.corpus.map { file in
      let name = file.lastPathComponent
      let isJSON = name.hasPrefix("y_") ? true : name.hasPrefix("n_") ? false : nil
      return (name, isJSON, (try? Data(contentsOf: file)).map(Array.init) ?? [])
    }
    return JSONCases.accepted.map { (String(decoding: $0, as: UTF8.self), true, $0) }
      + JSONCases.refused.map { (String(decoding: $0, as: UTF8.self), false, $0) } + files
  }()

  @Test func invalidJSONIsAProblemInAnyPieces() {
    for (name, isJSON, text) in Self.cases {
      for pieces in [1, 5, .max] where text.count < 10_000 || pieces == .max {
        let reader = read(text, pieces: pieces)
        if isJSON == false { #expect(reader.problems.count > 0, "\(name)") }
      }
    }
  }

  /// Unknown members are ignored if they are JSON. If they are not, the photo is skipped, but no other photo is.
  @Test func anInvalidMemberSkipsAtMostItsOwnPhoto() {
    var (accepted, refused) = (0, 0)
    // This case opens a list and an object without closing them, so the following photos are inside the list.
    let swallowing = ["n_structure_open_array_open_object.json"]
    for (name, isJSON, value) in Self.cases where !swallowing.contains(name) {
      let text = Array("[\(row(1)),\n".utf8) + row(2).utf8.dropLast() + Array(", \"x\": ".utf8) + value
      let reader = read(text + Array("},\n\(row(3)),\n\(row(4))\n]".utf8))
      #expect(ids(reader).first == 1, "\(name)")
      if isJSON == true {
        accepted += 1
        #expect(ids(reader) == [1, 2, 3, 4], "\(name): \(reader.problems.first)")
        #expect(reader.problems.count == 0, "\(name): \(reader.problems.first)")
      } else if isJSON == false, JSONSyntax.firstFault(in: Data(text + Array("}]".utf8))) != nil {
        refused += 1
        #expect(ids(reader).last == 4, "\(name): \(reader.problems.first)")
        #expect(reader.problems.count > 0, "\(name)")
      }
    }
    #expect(accepted > 50)
    #expect(refused > 80)
  }

  @Test(arguments: [
    "-0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2017-02-29T00:00:00Z", "2017-11-06T24:61:00Z", "yesterday", "",
    "2017-11-06T14:48:50", "2017-11-06T14:48:50+99:99", "99999999999999999999-01-01T00:00:00Z", "２０１７-11-06T14:48:50Z",
    "0", "\\u0000", "2017-11-06T14:48:50.\(String(repeating: "9", count: 5000))x",
  ])
  func aPhotoWithAnInvalidDateIsSkipped(text: String) {
    let reader = read("[\(row(1)),\(row(2).replacing("2017-11-06T14:48:50Z", with: text)),\(row(3))]")
    #expect(ids(reader) == [1, 3])
    #expect(reader.problems.first.map(\.place.row) == [2])
  }
}
