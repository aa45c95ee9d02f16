import Gallery
import ImageWire
import Images
import TestLimit
import Testing

@testable import Screens
@testable import Terminal

/// Renditions that are drawn in place of others of the same image.
@Suite(.limited) struct StandInTests {
  private static let kitty = OutputFormat.kitty(
    KittyTransfer(hasPlaceholders: true, isLocal: true, isPassedThrough: false))

  private func specification(
    columns: Int = 150, rows: Int = 50, _ view: ImageView = .whole, format: OutputFormat = kitty
  ) -> RenditionSpecification {
    RenditionSpecification(
      .file("/a.jpg"), columns: columns, rows: rows, as: ImagePresentation(view: view),
      on: RenditionScreen(format: format, cellWidth: 10, cellHeight: 20, background: 0))
  }

  /// A photo of 6000x4000 pixels, as large as a rendition of it is.
  private func graphic(width: Int, height: Int) -> ImageLoader.Rendition {
    .graphic(
      id: 300, GraphicImage(columns: width / 10, rows: height / 20, width: width, height: height, bytes: []))
  }

  private func standIn(
    _ other: RenditionSpecification, _ rendition: ImageLoader.Rendition, for specification: RenditionSpecification,
    areCharacters: Bool = false
  ) -> StandIn? {
    StandIn(
      (other, rendition, ImageInfo(width: 6000, height: 4000)), for: specification, areCharacters: areCharacters)
  }

  private func zoomed(_ scale: Int, x: Int = 32768, y: Int = 32768) -> ImageView {
    .zoomed(scale: scale, centerX: x, centerY: y)
  }

  private func scaled(_ standIn: StandIn?) -> Graphic? {
    guard let standIn, case .graphic(let id, let image) = standIn.rendition else { return nil }
    return standIn.scaled(image, id: id)
  }

  /// At 100 %, the window of 1500x1000 pixels shows a quarter of the photo's width.
  @Test(arguments: [(32768, 32768, "x=563,y=375"), (0, 65536, "x=0,y=750"), (65536, 0, "x=1125,y=0")])
  func aPartIsCutFromTheWholeImage(x: Int, y: Int, start: String) {
    let whole = graphic(width: 1500, height: 1000)
    let graphic = scaled(standIn(specification(), whole, for: specification(zoomed(65536, x: x, y: y))))
    #expect(graphic.map(Self.command) == "\(start),w=375,h=250,c=150,r=50")
  }

  /// A part may be cut from another one that shows more, and from a smaller image, but not from a part that lacks something.
  @Test func aPartIsCutFromWhatShowsAllOfIt() {
    let half = specification(zoomed(32768))
    let enlarged = specification(zoomed(65536))
    #expect(
      scaled(standIn(half, graphic(width: 1500, height: 1000), for: enlarged)).map(Self.command)
        == "x=375,y=250,w=750,h=500,c=150,r=50")
    #expect(standIn(enlarged, graphic(width: 1500, height: 1000), for: half) == nil)
    #expect(standIn(enlarged, graphic(width: 1500, height: 1000), for: specification(zoomed(65536, x: 33000))) == nil)
    let tile = specification(columns: 30, rows: 10)
    #expect(
      scaled(standIn(tile, graphic(width: 300, height: 200), for: enlarged)).map(Self.command)
        == "x=113,y=75,w=75,h=50,c=150,r=50")
    // What shows more detail comes first.
    let details = [
      standIn(half, graphic(width: 1500, height: 1000), for: enlarged),
      standIn(specification(), graphic(width: 1500, height: 1000), for: enlarged),
      standIn(tile, graphic(width: 300, height: 200), for: enlarged),
    ].compactMap { $0?.detail }
    #expect(details.count == 3 && details == details.sorted(by: >))
  }

  /// A tile that is cut at the sides shows the middle of a row's thumbnail.
  @Test func aTileIsCutFromAThumbnail() {
    let row = specification(columns: 8, rows: 3)
    let tile = specification(columns: 20, rows: 10, .filling)
    #expect(
      scaled(standIn(row, graphic(width: 80, height: 53), for: tile)).map(Self.command)
        == "x=13,y=0,w=53,h=53,c=20,r=10")
    #expect(standIn(tile, graphic(width: 200, height: 200), for: row) == nil)
  }

  /// An image over the cells whose pixels are few has a margin that fills the last cells.
  @Test func theMarginOfACoarseImageIsNotCounted() {
    var image = GraphicImage(
      columns: 151, rows: 50, width: 151, height: 100, isEnlarged: true, isPlaced: true, bytes: [])
    let enlarged = specification(zoomed(65536, x: 65536, y: 65536))
    #expect(
      scaled(standIn(specification(), .graphic(id: 300, image), for: enlarged)).map(Self.command)
        == "x=113,y=75,w=38,h=25,c=150,r=50")
    (image.columns, image.width, image.isEnlarged, image.isPlaced) = (150, 150, true, false)
    #expect(
      scaled(standIn(specification(), .graphic(id: 300, image), for: enlarged)).map(Self.command)
        == "x=113,y=75,w=37,h=25,c=150,r=50")
  }

  /// Characters of 24 bits become a mosaic of their mean colors. Others stay as they are.
  @Test func charactersAreEnlarged() {
    let format = OutputFormat.symbols(.truecolor, .blocks)
    let cells = (0..<6 * 2).map { index in
      CellImage.Cell(scalar: 0x2580, foreground: UInt32(index) * 4, background: UInt32(index) * 2)
    }
    // The whole photo takes two of four rows. At twice the scale, the right half of it takes all of them.
    let whole = ImageLoader.Rendition.cells(CellImage(columns: 6, rows: 2, cells: cells))
    let right = specification(columns: 6, rows: 4, zoomed(1311, x: 65536), format: format)
    let part = standIn(specification(columns: 6, rows: 4, format: format), whole, for: right, areCharacters: true)
    guard let part, case .cells(let image) = part.rendition else {
      Issue.record("no part")
      return
    }
    let scaled = part.scaled(image, depth: .truecolor)
    let rows: [[UInt32]] = [[9, 9, 12, 12, 15, 15], [27, 27, 30, 30, 33, 33]]
    #expect((scaled.columns, scaled.rows) == (6, 4))
    #expect(scaled.cells.map(\.background) == [rows[0], rows[0], rows[1], rows[1]].flatMap(\.self))
    #expect(scaled.cells.allSatisfy { $0.scalar == 0x20 })
    let plain = part.scaled(image, depth: .palette16)
    #expect(plain.cells.map(\.foreground).prefix(6) == [12, 12, 16, 16, 20, 20])
    #expect(plain.cells.allSatisfy { $0.scalar == 0x2580 })
  }

  private static func command(of graphic: Graphic) -> String {
    let crop = graphic.crop
    return "x=\(crop?.x ?? -1),y=\(crop?.y ?? -1),w=\(crop?.width ?? -1),h=\(crop?.height ?? -1)"
      + ",c=\(graphic.image.columns),r=\(graphic.image.rows)"
  }
}
