import Gallery
import TestLimit
import Testing

/// The order of a stack's photos by the sharpness of their tiles.
@Suite(.limited) struct ImageAppraisalTests {
  private static let count = ImageAppraisal.side * ImageAppraisal.side

  /// Returns an appraisal whose tiles have a value, and some of them another one.
  private static func appraisal(_ value: UInt16, _ others: [Int: UInt16] = [:]) -> ImageAppraisal {
    var tiles = [UInt16](repeating: value, count: count)
    for (tile, value) in others { tiles[tile] = value }
    return ImageAppraisal(hash: 0, sharpness: tiles)
  }

  private static func order(_ appraisals: [ImageAppraisal], _ focus: [(x: Int, y: Int)?] = []) -> [Int] {
    ImageAppraisal.sharpestFirst(appraisals, focus: focus)
  }

  @Test func anAppraisalHasTheDetailsThatWereWanted() {
    var appraisal = ImageAppraisal(hash: 1)
    #expect(ImageAppraisal.Detail.allCases.map(appraisal.has) == [true, false, false])
    appraisal.cells = [1]
    #expect(ImageAppraisal.Detail.allCases.map(appraisal.has) == [true, true, false])
    #expect(ImageAppraisal.Detail.allCases.map(Self.appraisal(500).has) == [true, false, true])
  }

  @Test func distanceIsTheNumberOfBitsThatDiffer() {
    #expect(ImageAppraisal(hash: 0b1011).distance(to: ImageAppraisal(hash: 0b0110)) == 3)
    #expect(ImageAppraisal(hash: 0).distance(to: ImageAppraisal(hash: .max)) == 64)
  }

  @Test func theSharpestIsFirst() {
    #expect(Self.order([Self.appraisal(200), Self.appraisal(400), Self.appraisal(300)]) == [1, 2, 0])
  }

  @Test func equalOnesKeepTheirOrder() {
    #expect(Self.order([]) == [])
    #expect(Self.order([Self.appraisal(5)]) == [0])
    #expect(Self.order([Self.appraisal(5), Self.appraisal(9), Self.appraisal(5), Self.appraisal(9)]) == [1, 3, 0, 2])
    #expect(Self.order([Self.appraisal(0), Self.appraisal(0)]) == [0, 1])
  }

  @Test func theSharpnessIsAPartOfTheSharpest() {
    func percents(_ appraisals: [ImageAppraisal]) -> [Int?] { ImageAppraisal.percentOfSharpest(appraisals, focus: []) }
    #expect(percents([Self.appraisal(300), Self.appraisal(1000), Self.appraisal(999)]) == [30, 100, 99])
    #expect(percents([Self.appraisal(500), ImageAppraisal(hash: 1), Self.appraisal(500)]) == [100, nil, 100])
    // Nothing is compared with a single photo, or where nobody is sharp.
    #expect(percents([Self.appraisal(500), ImageAppraisal(hash: 1)]) == [nil, nil])
    #expect(percents([Self.appraisal(0), Self.appraisal(0)]) == [nil, nil])
    #expect(percents([]) == [])
  }

  @Test func appraisalsWithoutTilesAreLast() {
    let bare = ImageAppraisal(hash: 1)
    let wrong = ImageAppraisal(hash: 1, sharpness: [65535, 65535])
    #expect(Self.order([bare, Self.appraisal(1), wrong, Self.appraisal(2)]) == [3, 1, 0, 2])
    #expect(Self.order([bare, Self.appraisal(0)]) == [1, 0])
    #expect(Self.order([bare, bare]) == [0, 1])
  }

  /// A tile counts by its detail: where nobody is sharp, small differences are noise.
  @Test func flatTilesHardlyCount() {
    let subject = [119: UInt16(8000), 120: 8000]
    let blurred = [119: UInt16(6000), 120: 6000]
    #expect(Self.order([Self.appraisal(60, blurred), Self.appraisal(40, subject)]) == [1, 0])
  }

  /// A passer-by has detail that no other photo shows.
  @Test func detailOfOnePhotoAloneDoesNotCount() {
    #expect(Self.order([Self.appraisal(900), Self.appraisal(1000), Self.appraisal(800, [7: 60000])]) == [1, 0, 2])
  }

  @Test func theFocusDecides() {
    // The background is sharp in the first photo, and the tiles around row 4 and column 11 in the second one.
    let subject = (3...5).flatMap { row in (10...12).map { row * 16 + $0 } }
    let photos = [(3000, 1000), (1000, 3000)].map { rest, value in
      Self.appraisal(rest, Dictionary(uniqueKeysWithValues: subject.map { ($0, value) }))
    }
    #expect(Self.order(photos) == [0, 1])
    let point = (x: (11 * 65536 + 32768) / 16, y: (4 * 65536 + 32768) / 16)
    #expect(Self.order(photos, [nil, point]) == [1, 0])
    #expect(Self.order(photos, [(x: 0, y: 0), nil]) == [0, 1])
    // Places outside the image, such as those of a file that lies, leave an order.
    #expect(Self.order(photos, [(x: .max, y: .min), nil]) == [0, 1])
  }
}
