import Finding
import Foundation
import Gallery
import Geography
import Photos
import TestLimit
import Testing

@testable import ViewModels

@MainActor @Suite(.limited) struct PhotoMapTests {
  /// Lisbon twice, Oslo, Suva east of the meridian of 180°, and Taveuni west of it.
  private static let places = [
    (38.7139, -9.1394), (38.7140, -9.1390), (59.9075, 10.753), (-18.1416, 178.4419), (-16.85, -179.97),
  ]

  private func map(
    _ places: [(Double, Double)] = places, highlighted: TableIndex? = nil, query: String = "", columns: Int = 80,
    rows: Int = 22
  ) async -> PhotoMap {
    let positions = PhotoPositions(places.map { (latitude: $0.0, longitude: $0.1) })
    let map = PhotoMap(query: query, highlighted: highlighted) { positions }
    map.load()
    map.show(columns: columns, rows: rows)
    await map.loading?.value
    return map
  }

  @Test func theFirstFrameShowsAllPhotos() async throws {
    let map = await map()
    #expect(map.state == .loaded)
    #expect(map.shownCount == 5)
    #expect(map.clusters.map(\.count) == [1, 2, 2])
    #expect(map.clusters.map(\.text) == ["", "2", "2"])
    let frame = try #require(map.frame)
    #expect(frame.columns == 80)
    #expect(map.status.hasPrefix("5 photos · "))
    #expect(map.raster?.coasts.contains { $0 != 0 } == true)
    #expect(!map.labels.isEmpty)
  }

  /// The chosen cluster stays in the frame and chosen while the map is enlarged and reduced.
  @Test func theChosenClusterIsEnlarged() async throws {
    let map = await map()
    map.chooseNext()
    map.chooseNext()
    let first = try #require(map.chosen.map { map.clusters[$0].box })
    for factor in [2.0, 2, 2, 2, 0.5, 0.5, 2, 2, 2] {
      map.zoom(by: factor)
      let box = try #require(map.chosen.map { map.clusters[$0].box })
      #expect(box.south <= first.north && box.north >= first.south, "\(box)")
    }
    #expect(map.shownCount < 5)
  }

  /// The history of the state: it is loading until the positions are there.
  @Test func aMapWithoutPositionsIsEmpty() async {
    let map = PhotoMap(highlighted: nil) { PhotoPositions() }
    var history: [PhotoMap.State] = []
    map.onLoad = { history.append(map.state) }
    map.load()
    map.show(columns: 80, rows: 22)
    #expect(map.state == .loading)
    #expect(map.frame == nil && map.queryOfChoice == nil && map.status == "")
    await map.loading?.value
    #expect(history == [.empty])
    map.zoom(by: 2)
    map.pan(1, 1)
    map.showAll()
    map.chooseNext()
    #expect(map.frame == nil && map.chosen == nil)
  }

  @Test func photosOnBothSidesOfTheMeridianOf180DegreesAreTogether() async throws {
    let map = await map([(-18.1416, 178.4419), (-16.85, -179.97)])
    let frame = try #require(map.frame)
    #expect(frame.width < 5)
    #expect(map.shownCount == 2)
    let query = try #require(map.queryOfChoice)
    #expect(query.contains(" -longitude:-17") && !query.contains(" longitude:"))
    #expect(try await found(query, among: [(-18.1416, 178.4419), (-16.85, -179.97), (-17, 0)]) == [0, 1])
    map.pan(0.25, 0)
    map.pan(-0.25, 0)
    #expect(map.shownCount == 2)
    #expect(abs(frame.longitude - (map.frame?.longitude ?? 0)) < 1e-9)
  }

  @Test func aFrameBecomesASearchThatKeepsTheRestOfTheQuery() async throws {
    let map = await map(query: "rating:>=4 latitude:1..2 -Longitude:3..4 \"lens a\"")
    #expect(map.queryOfChoice?.hasPrefix("rating:>=4 \"lens a\" latitude:") == true)
    #expect(map.queryOfChoice?.contains("1..2") == false)
  }

  /// A search for a cluster finds as many photos as its number says, for any frame.
  @Test func aClusterIsFoundByItsBox() async throws {
    var random = SplitMix(state: 7)
    let places = (0..<400).map { _ in
      (Double.random(in: 35...45, using: &random), Double.random(in: -10...3, using: &random))
    }
    let map = await map(places)
    for factor in [1.0, 2, 3] {
      map.zoom(by: factor)
      for _ in map.clusters {
        map.chooseNext()
        let count = map.clusters[try #require(map.chosen)].count
        let query = try #require(map.queryOfChoice)
        #expect(try await found(query, among: places).count == count, "\(query)")
      }
    }
    #expect(map.clusters.map(\.count).reduce(0, +) == map.shownCount)
  }

  @Test func theNextClusterComesAfterTheLast() async {
    let map = await map(highlighted: 2)
    var history: [Int?] = []
    for _ in 0..<5 {
      map.chooseNext()
      history.append(map.chosen)
    }
    #expect(history == [0, 1, 2, 0, 1])
    #expect(map.choice == "2 photos near Lisbon, Portugal")
    #expect(map.clusters.map(\.isHighlighted) == [true, false, false])
    // The middle of the third one is in the sea.
    map.chooseNext()
    #expect(map.choice == "2 photos")
    map.chooseNext()
    #expect(map.choice == "1 photo near Oslo, Norway")
    map.pan(0.1, 0)
    #expect(map.chosen == nil && map.choice == nil)
  }

  @Test func aClickChoosesAClusterOrMovesTheFrame() async throws {
    let map = await map()
    let lisbon = map.clusters[1]
    #expect(!map.press(column: lisbon.column, row: lisbon.row))
    #expect(map.chosen == 1)
    #expect(map.press(column: lisbon.column, row: lisbon.row))
    let frame = try #require(map.frame)
    #expect(!map.press(column: 10, row: 11))
    #expect(map.chosen == nil)
    #expect(map.frame != frame)
  }

  /// The position under the pointer stays there.
  @Test func theWheelEnlargesWhatIsUnderThePointer() async throws {
    let map = await map()
    for _ in 0..<6 {
      let lisbon = try #require(map.frame?.cell(latitude: 38.7139, longitude: -9.1394))
      map.zoom(by: 1.5, column: lisbon.column, row: lisbon.row)
      let moved = try #require(map.frame?.cell(latitude: 38.7139, longitude: -9.1394))
      #expect(abs(moved.column - lisbon.column) <= 1 && abs(moved.row - lisbon.row) <= 1)
    }
    #expect(map.shownCount == 2)
    map.showAll()
    #expect(map.shownCount == 5)
  }

  @Test(arguments: [(80, 22), (120, 34), (20, 5), (3, 1), (1, 1), (10, 60), (300, 10)])
  func aFrameStaysOnEarth(columns: Int, rows: Int) async throws {
    let map = await map(columns: columns, rows: rows)
    for _ in 0..<40 { map.zoom(by: 1 / 1.5) }
    var frame = try #require(map.frame)
    #expect(frame.width <= 360.001 && !frame.canZoomOut)
    #expect(map.shownCount == 5)
    for _ in 0..<10 { map.pan(0, -0.25) }
    frame = try #require(map.frame)
    #expect(frame.north <= 90.001 || frame.south >= -90.001 || frame.degreesPerRow * Double(rows) >= 180)
    for _ in 0..<60 { map.zoom(by: 1.5) }
    frame = try #require(map.frame)
    #expect(!frame.canZoomIn)
    #expect((-180...180).contains(frame.west) && (-90...90).contains(frame.latitude))
    map.show(columns: columns + 5, rows: rows + 2)
    #expect(map.frame?.columns == columns + 5)
  }

  @Test(arguments: [
    (PhotoPositions.Box(south: 47, north: 48.5, west: 5, width: 1), 2, "latitude:47..48.5 longitude:5..6"),
    (PhotoPositions.Box(south: -1.04, north: 1.04, west: -1.04, width: 2.08), 0, "latitude:-2..2 longitude:-2..2"),
    (PhotoPositions.Box(south: -90, north: 90, west: -180, width: 360), 0, "latitude:-90..90"),
    (PhotoPositions.Box(south: -20, north: -10, west: 170, width: 15), 1, "latitude:-20..-10 -longitude:-175..170"),
    (
      PhotoPositions.Box(south: 0.00001, north: 0.00002, west: 179.99999, width: 0.00001), 5,
      "latitude:0.00001..0.00002 longitude:179.99999..180"
    ),
  ]) func aBoxIsWrittenAsAQuery(box: PhotoPositions.Box, digits: Int, query: String) {
    #expect(MapQuery.text(box, digits: digits) == query)
  }

  @Test(arguments: [(1, ""), (999, "999"), (1000, "1k"), (99_999, "99k"), (2_500_000, "2M")])
  func aNumberHasAtMostFourCharacters(count: Int, text: String) async {
    let map = await map(Array(repeating: (10, 10), count: count))
    #expect(map.clusters.map(\.count) == [count])
    #expect(map.clusters.map(\.text) == [text])
  }

  /// Returns the photos with these positions that a query finds.
  private func found(_ query: String, among places: [(Double, Double)]) async throws -> [Int] {
    let table = PhotoTable(
      places.enumerated().map { id, place in
        var metadata = PhotoMetadata()
        metadata.place = PhotoMetadata.Place(latitude: place.0, longitude: place.1)
        return Photo(
          id: id, name: "\(id)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "\(id).jpg", image: .web("\(id)"),
          metadata: metadata)
      })
    let query = try PhotoQuery(query, now: CalendarTime(clock: 0))
    return try await PhotoFinder().find(query, in: table).map(\.value).sorted()
  }
}

/// Numbers that are the same in each run (Vigna's splitmix64).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
