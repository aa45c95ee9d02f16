import Foundation
import Gallery
import Photos
import TestLimit
import Testing

@testable import Finding

@Suite(.limited) struct PlaceGuessTests {
  private let now = CalendarTime(clock: 1_700_000_000)

  /// Two photos of Lisbon, the second with texts of its own, one of Oslo, one of the open sea, one without a position, and one
  /// of Lisbon that names its city, but not its country.
  private let table = PhotoTable([
    photo(0, 38.7139, -9.1394), photo(1, 38.7139, -9.1394) { ($0.city, $0.countryCode) = ("Alfama", "XX") },
    photo(2, 59.9075, 10.753), photo(3, 30, -40), photo(4, nil, nil),
    photo(5, 38.7139, -9.1394) { $0.city = "Graça" },
  ])

  private static func photo(
    _ id: Int, _ latitude: Double?, _ longitude: Double?, _ change: (inout PhotoMetadata) -> Void = { _ in }
  ) -> Photo {
    var metadata = PhotoMetadata()
    (metadata.latitude, metadata.longitude) = (latitude, longitude)
    change(&metadata)
    return Photo(
      id: id, name: "P\(id)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "p\(id).jpg", image: .web("p\(id)"),
      metadata: metadata)
  }

  private func found(_ text: String) async throws -> [Int] {
    try await PhotoFinder().find(try PhotoQuery(text, now: now), in: table).map(\.value).sorted()
  }

  @Test(arguments: [
    ("city:lisbon", [0]), ("city:lisb", [0]), ("country:pt", [0, 5]), ("country:portugal", [0, 5]),
    ("country:norway", [2]),
    // A photo's own texts win.
    ("city:alfama", [1]), ("city:graca", [5]), ("country:xx", [1]), ("country:pt city:alfama", []),
    // Without a field, too, but neither by a code nor by scattered letters.
    ("lisbon", [0]), ("norw", [2]), ("pt", []), ("ptgl", []), ("-lisbon", [1, 2, 3, 4, 5]),
    // Photos without a city of their own are found as before.
    ("has:city", [1, 5]), ("-has:city", [0, 2, 3, 4]), ("has:country", [1]),
  ]) func aPhotoIsFoundByTheCityNearIt(query: String, rows: [Int]) async throws {
    #expect(try await found(query) == rows)
  }

  @Test func aGuessCompletesAField() async throws {
    let finder = PhotoFinder()
    await finder.prepare(table)
    let completions = await QueryCompletion.completions(of: "city:li", in: table, by: finder, now: now)
    #expect(completions.map(\.term) == ["city:lisbon"])
    #expect(completions.map(\.count) == [1])
    let fields = await QueryCompletion.completions(of: "count", in: table, by: finder, now: now)
    #expect(fields.map(\.term) == ["country:", "has:country"])
  }

  @Test func theMetadataItselfStaysWithoutAPlace() {
    for photo in table.prefix(1) {
      #expect(photo.metadata?.city == nil)
      #expect(photo.metadata?.country == nil)
      #expect(photo.metadata?.nearestCity != nil)
    }
  }
}
