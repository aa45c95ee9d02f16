import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import Photos

@Suite(.limited) struct PhotoOrderTests {
  private func sorted(_ photos: [Photo], _ order: PhotoOrder) async throws -> [Int] {
    try await order.indices(of: PhotoTable(photos)).map { photos[$0.value].id }
  }

  private func rating(isAscending: Bool? = nil) throws -> PhotoOrder {
    PhotoOrder(try #require(PhotoOrder.Key.allCases.first { $0.name == "rating" }), isAscending: isAscending)
  }

  @Test(arguments: [
    ["img2", "IMG3", "img10", "img100"],
    ["a", "Äb", "b"],
    ["Ångström", "Année", "Zoë"],
    ["a 1", "a 1 b", "a 02", "a 2 b", "a 10", "a1", "ab"],
    ["007", "8", "20", "x"],
    ["harbour sunset 9", "harbour sunset 10", "harbour sunset lake", "harbour sunset lakes"],
    ["1", "12345678901234567890123456789012345678901234567890", "a"],
    ["Zürich", "東京"],
  ])
  func namesSortWithoutCaseAndAccentsAndByNumericValue(names: [String]) async throws {
    let photos = names.enumerated().map { findable($0, $1) }
    let mixed = photos.reversed() as [Photo]
    #expect(try await sorted(mixed, PhotoOrder(.name)).map { names[$0] } == names)
    #expect(try await sorted(mixed, PhotoOrder(.name, isAscending: false)).map { names[$0] } == names.reversed())
  }

  @Test func equalNamesKeepTheirOrderAndMissingNamesComeLast() async throws {
    let photos = ["b", "", "a", "B", "á", " ", "01", "1"].enumerated().map { findable($0, $1) }
    #expect(try await sorted(photos, PhotoOrder(.name)) == [6, 7, 2, 4, 0, 3, 1, 5])
    #expect(try await sorted(photos, PhotoOrder(.name, isAscending: false)) == [0, 3, 2, 4, 6, 7, 1, 5])
  }

  @Test func eachKeyStartsInItsUsualDirection() {
    let descending = PhotoOrder.Key.allCases.filter { !PhotoOrder($0).isAscending }
    #expect(descending.map(\.name) == ["date", "file size", "duration", "rating", "size"])
  }

  @Test func eachKeySortsAndUnknownValuesComeLast() async throws {
    func metadata(_ rating: Int?, _ width: Int, _ height: Int) -> PhotoMetadata {
      var metadata = PhotoMetadata()
      (metadata.rating, metadata.width, metadata.height) = (rating, width, height)
      return metadata
    }
    let photos = [
      findable(0, "", createdAt: -5, camera: "D750"),
      findable(1, "", createdAt: 30, camera: "d4", metadata: metadata(-1, 100, 100)),
      findable(2, "", createdAt: 20.5, metadata: metadata(5, 40, 300)),
      findable(3, "", createdAt: 20.25, camera: "X100", metadata: metadata(nil, 4000, 0)),
      findable(4, "", createdAt: 20.5, camera: "D750", metadata: metadata(0, .max, .max)),
    ]
    let expected: [(PhotoOrder, [Int])] = [
      (PhotoOrder(), [0, 1, 2, 3, 4]), (PhotoOrder(.source, isAscending: false), [4, 3, 2, 1, 0]),
      (PhotoOrder(.date), [1, 2, 4, 3, 0]), (PhotoOrder(.date, isAscending: true), [0, 3, 2, 4, 1]),
      (PhotoOrder(.camera), [1, 0, 4, 3, 2]), (try rating(), [2, 4, 1, 0, 3]),
      (try rating(isAscending: true), [1, 4, 2, 0, 3]), (PhotoOrder(.size), [4, 2, 1, 0, 3]),
      (PhotoOrder(.size, isAscending: true), [1, 2, 4, 0, 3]),
    ]
    for (order, ids) in expected { #expect(try await sorted(photos, order) == ids, "\(order)") }
  }

  @Test func aTextOfTheMetadataSortsAsANameDoes() async throws {
    // The first eight bytes of the lenses are the same, so the order depends on the rest.
    let photos = [nil, "Fujinon XF35mm", nil, "fujinon xf 8mm", "", "FUJINON XF23mm"].enumerated().map { id, lens in
      var metadata = PhotoMetadata()
      metadata.lens = lens
      return findable(id, "", metadata: id == 0 ? nil : metadata)
    }
    let key = PhotoOrder.Key.metadata(.text("lens", \.lens, label: "Lens", heading: "by lens"))
    #expect(try await sorted(photos, PhotoOrder(key)) == [3, 5, 1, 0, 2, 4])
    #expect(try await sorted(photos, PhotoOrder(key, isAscending: false)) == [1, 5, 3, 0, 2, 4])
  }

  /// A choice is compared with the current order by its name.
  @Test func theNamesOfKeysAreUnique() {
    let names = PhotoOrder.Key.allCases.map(\.name)
    #expect(Set(names).count == names.count, "\(names)")
  }

  @Test(arguments: PhotoOrder.Key.allCases, [true, false])
  func piecesAreMergedIntoOneOrder(key: PhotoOrder.Key, isAscending: Bool) async throws {
    let table = PhotoTable(madeUp(1000))
    let indices = try await PhotoOrder(key, isAscending: isAscending).indices(of: table, pieceCount: 64)
    #expect(indices.sorted().elementsEqual(0..<1000))
    for (first, second) in zip(indices, indices.dropFirst()) {
      let isSorted: Bool
      switch key {
      case .source: isSorted = (first < second) == isAscending
      case .date:
        let (one, other) = (table.createdAt(at: first), table.createdAt(at: second))
        isSorted = one == other ? first < second : (one < other) == isAscending
      case .camera:
        let (one, other) = (table[first].camera ?? "", table[second].camera ?? "")
        isSorted = one == other ? first < second : (one < other) == isAscending
      case .name:
        let names = [first, second].map {
          table[$0].name.lowercased().replacing("é", with: "e").replacing("ü", with: "u")
        }
        isSorted = names[0] == names[1] ? first < second : (names[0] < names[1]) == isAscending
      case .metadata, .size: isSorted = first < second
      }
      guard isSorted else {
        Issue.record("\(first) stands before \(second)")
        return
      }
    }
  }

  @Test func aCanceledSortThrows() async throws {
    let table = PhotoTable(madeUp(1000))
    let sort = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await PhotoOrder(.name).indices(of: table)
    }
    await #expect(throws: CancellationError.self) { try await sort.value }
    #expect(try await PhotoOrder(.name).indices(of: PhotoTable([])).isEmpty)
  }
}
