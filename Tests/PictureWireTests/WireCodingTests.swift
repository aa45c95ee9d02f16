import Gallery
import PictureWire
import Testing

@Suite struct WireCodingTests {
  private let request = PictureRequest(
    number: 7, path: "/a/漢字.jpg", columns: 80, rows: 24, cellWidth: 9, cellHeight: 20,
    view: .zoomed(scale: 65_536, centerX: 1, centerY: 2), frame: 3, form: .symbols(.palette256, .sextants),
    background: 0x102030, palette: [0x010203, 0xFFFFFF], stage: .preview)
  private let answers = [
    PictureAnswer(number: 1, content: .failure("no")), PictureAnswer(number: 2, content: .noPreview),
    PictureAnswer(
      number: 3,
      content: .graphic(
        GraphicPicture(columns: 2, rows: 3, width: 18, height: 60, bytes: Array("\u{1B}_G".utf8), file: "/a")),
      facts: PictureFacts(
        width: 6000, height: 4000, scale: 99, frames: 7, delay: 40, isSharp: false,
        modifiedAt: 1_700_000_000_123_456_789)),
    PictureAnswer(
      number: .max,
      content: .cells(
        CellPicture(
          columns: 2, rows: 1,
          cells: [
            CellPicture.Cell(scalar: 0x2580, foreground: 0xFFFFFF, background: CellPicture.Cell.none),
            CellPicture.Cell(scalar: 0x20, foreground: 0, background: 1),
          ]))),
  ]

  @Test func messagesComeBackHoweverTheyAreSplit() throws {
    let bytes = request.framed + request.framed
    for split in bytes.indices {
      var buffer = WireBuffer()
      var received: [PictureRequest] = []
      for part in [bytes[..<split], bytes[split...]] {
        buffer.append(part)
        while let message = try buffer.next(PictureRequest.self) { received.append(message) }
      }
      #expect(received == [request, request])
    }
  }

  @Test(arguments: [
    PictureForm.symbols(.truecolor, .ascii), .sixel(colors: 1024), .iterm,
    .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isInTmux: true)),
  ])
  func everyFormComesBack(form: PictureForm) throws {
    for view in [PictureView.whole, .filling] {
      var request = request
      (request.form, request.view) = (form, view)
      var buffer = WireBuffer()
      buffer.append(request.framed)
      #expect(try buffer.next(PictureRequest.self) == request)
    }
  }

  @Test func answersComeBack() throws {
    for answer in answers {
      var buffer = WireBuffer()
      buffer.append(answer.framed)
      #expect(try buffer.next(PictureAnswer.self) == answer)
      #expect(try buffer.next(PictureAnswer.self) == nil)
    }
  }

  @Test func everyCutOffMessageIsMalformed() {
    for answer in answers {
      let body = Array(answer.framed.dropFirst(4))
      for count in 0..<body.count {
        var buffer = WireBuffer()
        buffer.append([UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0, 0] + body[..<count])
        #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
      }
    }
  }

  @Test func factsComeBackAndWhatIsCutOffIsMalformed() throws {
    var facts = PhotoFacts()
    facts.takenAt = CaptureTime(clock: -1.5, offset: -3600)
    (facts.width, facts.camera, facts.keywords, facts.rating) = (6000, "C", ["a", "ü"], -1)
    facts.place = PhotoFacts.Place(latitude: -1, longitude: 2, altitude: 3)
    let answer = FactsAnswer(results: [
      .success(facts), .success(PhotoFacts()), .failure(.missing), .failure(.empty), .failure(.notAPicture),
      .failure(.harmful), .failure(.unreadable(reason: "r")), .failure(.notAsked(reason: "s")),
    ])
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    #expect(try buffer.next(UndecodedFacts.self)?.decoded() == answer)
    let body = Array(answer.framed.dropFirst(4))
    for count in 0..<body.count {
      buffer = WireBuffer()
      buffer.append([UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0, 0] + body[..<count])
      #expect(throws: WireError.malformed) { try buffer.next(FactsAnswer.self) }
    }
  }

  @Test func photosOfAnyNameAreAskedFor() throws {
    let request = FactsRequest(subjects: [
      FoundPhoto(path: FilePath([0x2F, 0xFF, 0x0A])), FoundPhoto(path: FilePath("/a"), sidecar: FilePath("/a.xmp")),
    ])
    var buffer = WireBuffer()
    buffer.append(request.framed)
    #expect(try buffer.next(FactsRequest.self) == request)
  }

  @Test func absurdLengthsAreRefused() {
    var buffer = WireBuffer()
    buffer.append([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
  }

  /// A worker that a hostile file has taken over must not control the terminal, nor have absurd sizes reckoned with.
  @Test(arguments: [0x1B, 0x9B, 0x0A, 0x7F, 0xD800, 0x11_0000] as [UInt32])
  func charactersThatDoNotPrintAreRefused(scalar: UInt32) {
    let cell = CellPicture.Cell(scalar: scalar, foreground: 0, background: 0)
    let answer = PictureAnswer(number: 1, content: .cells(CellPicture(columns: 1, rows: 1, cells: [cell])))
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
  }

  @Test(arguments: [(0, 1, 1), (5000, 1, 1), (1, 1, 0), (1, 1, 1 << 21)])
  func absurdSizesAreRefused(columns: Int, rows: Int, width: Int) {
    let picture = GraphicPicture(columns: columns, rows: rows, width: width, height: 1, bytes: [])
    var buffer = WireBuffer()
    buffer.append(PictureAnswer(number: 1, content: .graphic(picture)).framed)
    #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
  }
}
