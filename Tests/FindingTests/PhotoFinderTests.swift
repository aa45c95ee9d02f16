import Foundation
import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import Photos

@Suite(.limited) struct PhotoFinderTests {
  private func found(_ text: String, in photos: [Photo], order: [TableIndex]? = nil) async throws -> [Int] {
    try await PhotoFinder().find(try query(text), in: PhotoTable(photos), order: order).map { photos[$0.value].id }
  }

  private let photos = [
    findable(
      0, "Harbour at Dawn", description: "The old bridge, a red lantern.", camera: "NIKON D750", isForSale: true),
    findable(1, "Café Zürich", description: "Straße im Regen", camera: "FUJIFILM X-T3", isForSale: false),
    findable(2, "Bridge", description: "Fog over the harbour", camera: "FUJIFILM X100V", author: "Eve Harbour"),
    findable(3, "東京の夜", description: "Night market", image: "https://a.example/harbour/IMG_0042.jpg"),
    findable(4, "Smørrebrød", description: nil, image: "Trip to Iceland/dsc-7.raf", keywords: ["Food", "red fish"]),
  ]

  @Test(
    arguments: [
      ("", [0, 1, 2, 3, 4]),
      ("bridge", [2, 0]),
      ("harbour", [0, 2]),
      ("HARBOUR FOG", [2]),
      ("fog harbour", [2]),
      ("lantern dawn", [0]),
      ("cafe", [1]),
      ("café zurich", [1]),
      ("zürich", [1]),
      ("strasse", [1]),
      ("straße", [1]),
      ("smorrebrod", [4]),
      ("SMØRREBRØD", [4]),
      // The letters of a word may be scattered within one word, but not across words.
      ("hrbr", [0, 2]),
      ("hardawn", []),
      ("d750", [0]),
      ("xt3", [1]),
      ("x-t3", [1]),
      ("fuji", [1, 2]),
      ("東京", [3]),
      ("夜", [3]),
      ("京東", []),
      // Only the file name of a web address is searched, but all of a relative path.
      ("img", [3]),
      ("0042", [3]),
      ("jpg", [3]),
      ("iceland", [4]),
      ("food", [4]),
      ("name:harbour", [0]),
      ("description:harbour", [2]),
      ("author:eve", [2]),
      ("eve", []),
      ("camera:\"fujifilm x100\"", [2]),
      ("keyword:fish", [4]),
      ("file:raf", [4]),
      ("folder:iceland", [4]),
      ("folder:dsc", []),
      ("folder:harbour", [3]),
      ("folder:example", []),
      ("for:sale", [0]),
      ("for:no", [1]),
      ("-for:sale", [1, 2, 3, 4]),
      ("-harbour", [1, 3, 4]),
      ("harbour !fog", [0]),
      // The letters of an excluded word must be adjacent.
      ("-hrbr", [0, 1, 2, 3, 4]),
      ("has:description", [0, 1, 2, 3]),
      ("-has:camera", [3, 4]),
      ("has:keywords", [4]),
      ("has:author", [2]),
      ("has:gps", []),
    ] as [(String, [Int])])
  func queriesFindTheExpectedPhotos(text: String, ids: [Int]) async throws {
    #expect(try await found(text, in: photos) == ids)
  }

  @Test(
    arguments: [
      ("is:unrated", [4]), ("rating:3", [0]), ("-rating:3", [2, 4]), ("rating:<4", [0, 4]), ("is:picked", [0, 2]),
      ("mov", [2]), ("b.mov rating:4", [2]), ("cr2 rating:3", [0]), ("-mov", [0, 4]), ("-cr2", [2, 4]),
      ("keyword:dog", [0]), ("has:keywords", [0]), ("-has:keywords", [2, 4]), ("year:2001", [0]),
      ("-year:2001", [2, 4]), ("year:1970", [0, 2, 4]), ("is:marked", [0]), ("-is:marked", [2, 4]),
    ] as [(String, [TableIndex])])
  func aPhotoIsFoundByTheContentsOfAllItsFiles(text: String, found: [TableIndex]) async throws {
    func file(_ id: Int, _ name: String, stars: Int? = nil, keywords: [String] = [], createdAt: Double = 0) -> Photo {
      var metadata = PhotoMetadata()
      (metadata.rating, metadata.keywords) = (stars, keywords)
      return findable(id, name, createdAt: createdAt, image: name, metadata: metadata)
    }
    // The time of a video is that of its file.
    var table = PhotoTable([
      file(0, "a.jpg", stars: 0), file(1, "a.cr2", stars: 3, keywords: ["dog"], createdAt: 1e9),
      file(2, "b.heic", stars: 4), file(3, "b.mov", createdAt: 1e9), file(4, "c.jpg"),
    ])
    table.groups = PhotoGroups([[0, 1], [2, 3]], photoCount: table.count)
    #expect(try await PhotoFinder().find(try query(text), in: table, sets: [.mark: [1]]).sorted() == found)
    // The files may be in different pieces of the table.
    #expect(try await PhotoFinder(pieceCount: 1).find(try query(text), in: table, sets: [.mark: [1]]).sorted() == found)
  }

  /// A catalog may contain any number.
  @Test(arguments: [.leastNonzeroMagnitude, 1e-30, 1e300, .infinity, .nan])
  func anyExposureTimeCanBeIndexed(seconds: Double) async throws {
    var metadata = PhotoMetadata()
    metadata.exposureTime = seconds
    #expect(try await found("exposure:1/250", in: [findable(0, "x", metadata: metadata)]) == [])
  }

  @Test func aRelativePathWithAColonIsNoAddress() async throws {
    let photos = [findable(0, "x", image: "10:30/rome/a.jpg"), findable(1, "x", image: "http://rome/b/c.jpg")]
    #expect(try await found("folder:10", in: photos) == [0])
    #expect(try await found("folder:rome", in: photos) == [0])
    #expect(try await found("file:rome", in: photos) == [0])
  }

  @Test func aDateFindsItsPhotosAndTheTextsThatContainIt() async throws {
    let photos = [
      findable(0, "Concert"), findable(1, "Tour 1970 remembered", createdAt: 1e9), findable(2, "Rain", createdAt: 1e9),
      findable(3, "1970", createdAt: 1e9),
    ]
    #expect(try await found("1970", in: photos) == [1, 3, 0])
    #expect(try await found("1970 conc", in: photos) == [0])
    #expect(try await found("-1970", in: photos) == [2])
  }

  /// The results of the last query are searched again only if they contain the new ones.
  @Test func aDateThatIsTypedFindsWhatItsBeginningDoesNot() async throws {
    let table = PhotoTable([findable(0, "a"), findable(1, "1970", createdAt: 1e9)])
    let finder = PhotoFinder()
    for text in ["1", "19", "197"] { #expect(try await finder.find(try query(text), in: table) == [1]) }
    #expect(try await finder.find(try query("1970"), in: table) == [1, 0])
    #expect(try await finder.find(try query("1970-01"), in: table) == [0])
  }

  @Test(
    arguments: [
      ("0,179.9,30km", (0, -179.9), true), ("0,-179.9,20km", (0, 179.9), false), ("90,0,1km", (89.995, 135), true),
      ("-89.9,10,30km", (-89.9, -170), true), ("-89.9,10,20km", (-89.9, -170), false), ("10,20,1m", (10, 20), true),
      ("10,20,12mi", (10.17, 20), true), ("10,20,11mi", (10.17, 20), false), ("10,20,1000 m", (10.0089, 20), true),
      ("10,20,1000m", (10.0091, 20), false), ("10,20", (10.0898, 20), true), ("10,20", (10.0901, 20), false),
      ("60,0,56 km", (60, 1), true), ("60,0,55 km", (60, 1), false), ("10,20,99999km", (-10, -160), true),
      ("2.5,170.5,30000km", (-2.5, -9.5), true),
    ] as [(String, (Double, Double), Bool)])
  func placesAreNearAlongAGreatCircle(area: String, place: (latitude: Double, longitude: Double), isFound: Bool)
    async throws
  {
    var metadata = PhotoMetadata()
    metadata.place = .init(latitude: place.latitude, longitude: place.longitude)
    let photos = [findable(0, "a"), findable(1, "b", metadata: metadata)]
    #expect(try await found("near:\"\(area)\"", in: photos) == (isFound ? [1] : []))
  }

  @Test func theBestMatchComesFirst() async throws {
    let names = ["mystars", "s-t-a-r", "xsytyayr", "old.star", "starlight", "Star", "shtar", "soooootar"]
    let photos = names.enumerated().map { findable($0, $1) }
    let ranked = try await found("star", in: photos).map { names[$0] }
    #expect(ranked == ["Star", "starlight", "old.star", "mystars", "shtar", "s-t-a-r", "soooootar", "xsytyayr"])
  }

  @Test func theNameCountsMoreThanTheDescription() async throws {
    let photos = [
      findable(0, "a", description: "fog"), findable(1, "b", camera: "fog"), findable(2, "c", keywords: ["fog"]),
      findable(3, "Fog"), findable(4, "foggy"),
    ]
    #expect(try await found("fog", in: photos) == [3, 2, 1, 0, 4])
  }

  @Test func equallyGoodMatchesKeepTheOrderOfTheList() async throws {
    let photos = (0..<5).map { findable($0, $0 == 1 ? "star" : "starlight") }
    #expect(try await found("star", in: photos, order: [4, 3, 2, 1, 0]) == [1, 4, 3, 2, 0])
    #expect(try await found("", in: photos, order: [2, 0, 1]) == [2, 0, 1, 3, 4])
    #expect(try await found("", in: photos, order: [6, 2, 0, 1, 5, 3, 4]) == [2, 0, 1, 3, 4])
  }

  @Test(
    arguments: [
      ("rating:>=4", [1]), ("rating:3", [2]), ("-rating:>=4", [0, 2, 3]), ("rating:<0", [3]), ("iso:>1600", [2]),
      ("iso:100..1600", [1]), ("width:4000", [1]), ("height:>3000", []), ("has:gps", [2]), ("has:rating", [1, 2, 3]),
      ("has:iso", [1, 2]), ("has:date", [2]), ("has:lens", [1]), ("lens:35mm", [1]), ("year:1970", [0, 1, 2]),
      ("after:1970-01-02", [1, 3]), ("before:1970-01-02", [0, 2]), ("date:1971", [3]),
      ("is:picked", [1, 2]), ("is:rejected", [3]), ("is:unrated", [0]), ("-is:unrated", [1, 2, 3]), ("rating:0", [0]),
      ("rating:-1", [3]), ("rating:<4", [0, 2, 3]), ("is:labeled", [1]), ("label:red", [1]), ("-label:red", [0, 2, 3]),
      // Numbers are compared as they are shown.
      ("aperture:1.8", [1]), ("aperture:<1.8", []), ("aperture:1.4..2.8", [1]), ("-aperture:>1", [0, 2, 3]),
      ("focal:23", [1]), ("focal:>23", []), ("exposure:1/250", [1]), ("exposure:<1/200", [1]), ("shutter:>=1/249", []),
      ("bias:-0.7", [1]), ("bias:<0", [1]), ("bias:<-0.7", []), ("bias:0", [2]), ("-bias:0", [0, 1, 3]),
      ("near:64,-22", [2]), ("near:64.2,-22,30km", [2]), ("near:64.2,-22,20km", []), ("-near:64,-22", [0, 1, 3]),
      ("latitude:>0", [2]), ("longitude:-30..-20", [2]), ("1971", [3]), ("1970-01-01", [0, 2]), ("-1970", [3]),
      ("last-year", []), ("taken:>1970", [3]),
    ] as [(String, [Int])])
  func queriesFindPhotosByMetadata(text: String, ids: [Int]) async throws {
    var second = PhotoMetadata()
    (second.rating, second.iso, second.width, second.height, second.lens) = (5, 200, 4000, 3000, "XF35mmF1.4")
    (second.fNumber, second.focalLength, second.exposureTime, second.label) = (1.7783, 23.04, 1 / 249.7, "Red")
    var third = PhotoMetadata()
    (third.rating, third.iso, third.place) = (3, 6400, .init(latitude: 64, longitude: -22))
    (second.exposureBias, third.exposureBias) = (-2.0 / 3, 0)
    // The time of the camera's clock counts, not the date of creation.
    third.takenAt = CaptureTime(clock: 0, offset: 36_000)
    var fourth = PhotoMetadata()
    fourth.rating = -1
    let photos = [nil, second, third, fourth].enumerated().map { id, metadata in
      findable(id, "n", createdAt: Double(id) * 200 * 86_400, metadata: metadata)
    }
    #expect(try await found(text, in: photos) == ids)
  }

  // Properties that hold for generated photos, which fill more than one piece.

  @Test(
    arguments: [
      "harbour", "red lan", "fog -rain", "camera:x100 br", "zrch", "name:harb for:sale", "i 7", "rain img_31",
      "img_1 -img_12",
    ])
  func aNarrowedQueryFindsTheSameAsANewOne(text: String) async throws {
    let table = PhotoTable(madeUp(1000))
    let finder = PhotoFinder(pieceCount: 64)
    for length in 1...text.count {
      guard let query = try? query(String(text.prefix(length))) else { continue }
      #expect(try await finder.find(query, in: table) == PhotoFinder().find(query, in: table), "\(text.prefix(length))")
    }
  }

  @Test(arguments: [nil, Array(0..<100), Array((0..<257).reversed()), Array((0..<300).reversed())] as [[TableIndex]?])
  func photosAreSortedByTheirScoresAndThenByTheOrder(order: [TableIndex]?) async {
    let scores = (0..<257).map { number -> UInt16 in [0, 1, 30, 200][number &* 2_654_435_761 >> 12 & 3] }
    let pieces = stride(from: 0, to: 257, by: 64).map { Array(scores[$0..<min(257, $0 + 64)]) }
    let listed = (order ?? []).filter { $0 < 257 }
    let all = listed + Array(TableIndex(listed.count)..<257)
    let expected = [200, 30, 1].flatMap { score -> [TableIndex] in all.filter { scores[$0.value] == score } }
    #expect(await Ranking(pieces, pieceCount: 64).indices(order: order) == expected)
  }

  @Test func aGrowingTableGivesTheSameResultsAsANewOne() async throws {
    let photos = madeUp(700)
    var table = PhotoTable()
    let finder = PhotoFinder(pieceCount: 64)
    for (number, count) in [0, 10, 64, 65, 127, 500, 700].enumerated() {
      var packer = PhotoPacker()
      for photo in photos[table.count..<count] { packer.append(photo) }
      if packer.count > 0 { table.append(packer.pack()) }
      let query = try query(number % 3 == 0 ? "harbour" : "harbour brid")
      #expect(try await finder.find(query, in: table) == PhotoFinder().find(query, in: table))
      #expect(table.count == count)
    }
    // This is another table with fewer photos.
    let short = PhotoTable(photos.prefix(100))
    #expect(try await finder.find(try query("h"), in: short) == PhotoFinder().find(try query("h"), in: short))
  }

  @Test func anOlderCopyOfATableYieldsOnlyItsOwnPhotos() async throws {
    var table = PhotoTable(madeUp(100))
    let copy = table
    var packer = PhotoPacker()
    packer.append(findable(7, "harbour"))
    table.append(packer.pack())
    let finder = PhotoFinder()
    let whole = try await finder.find(try query("harbour"), in: table)
    #expect(whole.contains(100))
    #expect(try await finder.find(try query("harbour"), in: copy) == whole.filter { $0 < 100 })
  }

  @Test func copiesWithDifferentAdditionsAreDifferentTables() async throws {
    let beginning = PhotoTable(madeUp(10))
    let tables = ["harbour", "bridge"].map { name in
      var table = beginning
      var packer = PhotoPacker()
      packer.append(findable(10, name))
      table.append(packer.pack())
      return table
    }
    let finder = PhotoFinder()
    #expect(try await finder.find(try query("name:harbour"), in: tables[0]).contains(10))
    #expect(try await !finder.find(try query("name:harbour"), in: tables[1]).contains(10))
    #expect(try await finder.find(try query("name:bridge"), in: tables[1]).contains(10))
  }

  @Test func aNewSearchStopsTheOlderOne() async throws {
    let table = PhotoTable(madeUp(20_000))
    let finder = PhotoFinder(pieceCount: 64)
    let older = Task { try await finder.find(try query("h"), in: table) }
    while await !finder.isSearching { await Task.yield() }
    let newer = try await finder.find(try query("ha"), in: table)
    await #expect(throws: CancellationError.self) { try await older.value }
    #expect(try await newer == PhotoFinder().find(try query("ha"), in: table))
  }

  /// Tasks may arrive at the finder in a different order than they were created.
  @Test func anOlderSearchThatArrivesLateDoesNotStopTheNewerOne() async throws {
    let table = PhotoTable(madeUp(20_000))
    let finder = PhotoFinder(pieceCount: 64)
    let newer = Task { try await finder.find(try query("ha"), in: table) }
    while await !finder.isSearching { await Task.yield() }
    let older = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await finder.find(try query("h"), in: table)
    }
    await #expect(throws: CancellationError.self) { try await older.value }
    #expect(try await newer.value == PhotoFinder().find(try query("ha"), in: table))
  }

  @Test func preparationDoesNotChangeTheResults() async throws {
    let table = PhotoTable(madeUp(1000))
    let finder = PhotoFinder(pieceCount: 64)
    await finder.prepare(PhotoTable(madeUp(100)))
    async let preparation: Void = finder.prepare(table)
    let found = try await finder.find(try query("harb"), in: table)
    await preparation
    #expect(try await found == PhotoFinder().find(try query("harb"), in: table))
    #expect(try await finder.find(try query("fog"), in: table) == PhotoFinder().find(try query("fog"), in: table))
  }

  @Test func markedPhotosAreFoundAsTheyAreMarkedNow() async throws {
    let table = PhotoTable((0..<4).map { findable($0 + 10, "n") })
    let finder = PhotoFinder()
    for marked in [[11, 13], [12], []] as [Set<Int>] {
      let found = try await finder.find(try query("is:marked"), in: table, sets: [.mark: marked])
      #expect(Set(found.map { $0.value + 10 }) == marked)
    }
    #expect(try await finder.find(try query("-is:marked"), in: table, sets: [.mark: [11]]) == [0, 2, 3])
    #expect(try query("-is:marked").asks(for: .mark))
    #expect(!(try query("marked is:picked").asks(for: .mark)))
  }

  @Test func aCanceledSearchThrows() async throws {
    let table = PhotoTable(madeUp(1000))
    let finder = PhotoFinder()
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await finder.find(try query("h"), in: table)
    }
    await #expect(throws: CancellationError.self) { try await search.value }
    #expect(try await finder.find(try query("h"), in: table) == PhotoFinder().find(try query("h"), in: table))
  }
}

private func query(_ text: String) throws -> PhotoQuery { try PhotoQuery(text) }

/// Returns a photo with the given searchable properties.
func findable(
  _ id: Int, _ name: String, description: String? = nil, createdAt: Double = 0, image: String = "",
  camera: String? = nil, author: String? = nil, isForSale: Bool? = nil, keywords: [String] = [],
  metadata: PhotoMetadata? = nil
) -> Photo {
  var metadata = metadata
  if !keywords.isEmpty {
    metadata = PhotoMetadata()
    metadata?.keywords = keywords
  }
  return Photo(
    id: id, name: name, description: description, createdAt: Date(timeIntervalSince1970: createdAt), imageURL: image,
    image: .file("/"), isForSale: isForSale, camera: camera, author: author, metadata: metadata)
}

/// Returns generated photos, which are the same at every call.
func madeUp(_ count: Int) -> [Photo] {
  let words = ["Harbour", "bridge", "fog", "Zürich", "red", "lantern", "rain", "café", "東京", "dog"]
  return (0..<count).map { id in
    // In Knuth's multiplicative hash, each bit depends on all lower ones.
    let chance = id &* 2_654_435_761
    let chosen = [12, 16, 20, 24].map { words[(chance >> $0) % words.count] }
    return findable(
      id, "\(chosen[0]) \(chosen[1])", description: "\(chosen[2]) \(chosen[3])", createdAt: Double(chance % 1_000_000),
      image: "IMG_\(id).jpg", camera: ["X100V", "D750"][id % 2], isForSale: id % 3 == 0)
  }
}
