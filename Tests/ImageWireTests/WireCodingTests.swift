import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@Suite(.limited) struct WireCodingTests {
  private static let path: FilePath = "/a/漢字.jpg"
  private static let specification = RenditionSpecification(
    .file(path), columns: 80, rows: 24,
    as: ImagePresentation(
      view: .zoomed(scale: 65_536, centerX: 1, centerY: 2), rotation: .clockwise270, frame: 3, isDeveloped: true),
    on: RenditionScreen(
      format: .symbols(.palette256, .sextants), cellWidth: 9, cellHeight: 20, background: 0x102030,
      palette: [0x010203, 0xFFFFFF]))
  private static let rendition = RenditionRequest(
    specification, .preview, budget: RenditionBudget(bytes: 70_000, exactBytes: 90_000, throughput: 50_000))
  private static let request = ImageRequest(number: 7, path: path, job: .show(rendition))

  private let answers = [
    ImageAnswer(number: 1, content: .failure(.empty)), ImageAnswer(number: 2, content: .noPreview),
    ImageAnswer(
      number: 3,
      content: .graphic(
        GraphicImage(
          columns: 2, rows: 3, width: 18, height: 60, isEnlarged: true, isPlaced: true,
          bytes: Array(Self.sequence(naming: Self.file).utf8), file: Self.file)),
      info: ImageInfo(
        width: 6000, height: 4000, scale: 99, frames: 7, delay: 40, isSharp: false,
        modifiedAt: 1_700_000_000_123_456_789,
        histogram: ToneHistogram(bars: (0..<24).map { $0 * 10 }, clipsShadows: true), sharpness: 1000)),
    ImageAnswer(
      number: 4, content: .appraisal(ImageAppraisal(hash: .max - 7, sharpness: [0, 1, .max], cells: [0, 255]))),
    ImageAnswer(
      number: .max,
      content: .cells(
        CellImage(
          columns: 2, rows: 1,
          cells: [
            CellImage.Cell(scalar: 0x2580, foreground: 0xFFFFFF, background: CellImage.Cell.none),
            CellImage.Cell(scalar: 0x20, foreground: 0, background: 1),
          ]))),
  ]

  @Test(arguments: [
    ImageFault.missing, .unreadable(reason: "r"), .notAFile, .empty, .unknownFormat,
    .tooLarge(width: .max, height: .min), .incomplete, .noPreview, .unencodable, .noWorker(reason: "s"),
    .timedOut, .unresponsive, .crashed, .invalidAnswer, .noCache, .damaged(.library(reason: "t")), .damaged(.unknown),
    .damaged(.noLibvips), .damaged(.noRawLibrary), .damaged(.coding("c")), .unsupported(.openEXR), .damaged(.header),
    .damaged(.tooManyFaults), .damaged(.memory),
    .damaged(.bitmap(depth: 3, compression: 1 << 32)), .notExported(.noEncoder(.avif)),
    .notExported(.tooLarge(bytes: 340_000)), .notExported(.noFont), .notExported(.unwritable(reason: "u")),
  ])
  func everyFaultOfAnImageIsSentAsAValue(fault: ImageFault) throws {
    let answer = ImageAnswer(number: 1, content: .failure(fault))
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    #expect(try buffer.next(ImageAnswer.self) == answer)
  }

  @Test func messagesAreDecodedHoweverTheyAreSplit() throws {
    let bytes = Self.request.framed + Self.request.framed
    for split in bytes.indices {
      var buffer = WireBuffer()
      var received: [ImageRequest] = []
      for part in [bytes[..<split], bytes[split...]] {
        buffer.append(part)
        while let message = try buffer.next(ImageRequest.self) { received.append(message) }
      }
      #expect(received == [Self.request, Self.request])
    }
  }

  @Test(arguments: [
    OutputFormat.symbols(.truecolor, .ascii), .symbols(.truecolor, .octants), .symbols(.monochrome, .braille),
    .sixel(colors: 1024), .iterm, .transfer(quality: 85),
    .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true)),
  ])
  func everyFormatIsDecoded(format: OutputFormat) throws {
    for view in [ImageView.whole, .enlarged, .filling, .fillingHeight] {
      var specification = Self.specification
      specification.screen.format = format
      specification.presentation = ImagePresentation(
        view: view, frame: view == .enlarged ? -4000 : 3, overlay: view == .whole ? .peaking : .clipping,
        tone: ImageTone(brightness: -3, contrast: 12, isGray: view == .filling))
      try checkDecoding(of: .show(RenditionRequest(specification, .glance)))
    }
  }

  @Test(arguments: [ImageRequest.Job.thumbnail] + ImageAppraisal.Detail.allCases.map { .appraise($0) })
  func everyJobIsDecoded(job: ImageRequest.Job) throws { try checkDecoding(of: job) }

  @Test func exportsAreDecoded() throws {
    var metadata = PhotoMetadata()
    (metadata.rating, metadata.keywords, metadata.chosenOrientation) = (4, ["ü"], 6)
    for format in ExportSpecification.Format.allCases {
      for (size, quality) in [
        (ExportSpecification.Size.original, ExportSpecification.Quality?.none), (.longEdge(2048), .fixed(90)),
        (.box(width: 16, height: 900), .limit(bytes: 500_000)), (.fit(width: 900, height: 16), nil),
      ] {
        var specification = ExportSpecification()
        (specification.format, specification.size, specification.quality) = (format, size, quality)
        (specification.keepsColors, specification.metadata) = (true, .copyright)
        (specification.watermark, specification.sharpening) = ("© ü", .high)
        specification.crop = size == .original ? nil : .init(x: 0.1, y: 0, width: 0.25, height: 1)
        try checkDecoding(
          of: .export(
            ExportRequest(specification, metadata: MetadataRecord(metadata), destination: "/a/b")))
      }
    }
  }

  @Test(arguments: [SheetRequest.Format.pdf, .png(resolution: 200)])
  func sheetsAreDecoded(format: SheetRequest.Format) throws {
    try checkDecoding(of: .drawSheet(SheetRequest(format, drawing: 5_000_000_000..<5_000_000_100, destination: "/a")))
  }

  private static let sheet = SheetDrawing(
    width: 595.276, height: 841.89, title: "ü",
    pages: [
      .init(
        pictures: [.init(bytes: 5_000_000_000..<5_000_000_001, x: 36, y: 0.5, width: 90, height: 60)],
        lines: [.init("<b>ü</b>", size: 8, x: 1, y: 2, width: 3, alignment: .right)]),
      .init(pictures: [], lines: []),
    ])

  @Test func drawingsOfSheetsAreDecoded() throws {
    var buffer = WireBuffer()
    buffer.append(Self.sheet.framed)
    #expect(try buffer.next(SheetDrawing.self) == Self.sheet)
  }

  @Test(arguments: [Double.nan, -0.1, 14_401, .infinity]) func aLengthThatNoPageHasIsMalformed(length: Double) {
    for path in [\SheetDrawing.width, \.pages[0].pictures[0].x, \.pages[0].lines[0].size] {
      var sheet = Self.sheet
      sheet[keyPath: path] = length
      var buffer = WireBuffer()
      buffer.append(sheet.framed)
      #expect(throws: WireError.malformed) { try buffer.next(SheetDrawing.self) }
    }
  }

  @Test(arguments: [Double.nan, -0.1, 1.5, .infinity]) func aPartOutsideOfThePhotoIsMalformed(x: Double) {
    var specification = ExportSpecification()
    specification.crop = .init(x: x, y: 0, width: 1, height: 1)
    let request = ImageRequest(
      number: 1, path: "/a",
      job: .export(
        ExportRequest(specification, metadata: MetadataRecord(PhotoMetadata()), destination: "/b")))
    var buffer = WireBuffer()
    buffer.append(request.framed)
    #expect(throws: WireError.malformed) { try buffer.next(ImageRequest.self) }
  }

  private func checkDecoding(of job: ImageRequest.Job) throws {
    let request = ImageRequest(number: 1, path: Self.path, job: job)
    var buffer = WireBuffer()
    buffer.append(request.framed)
    #expect(try buffer.next(ImageRequest.self) == request)
  }

  /// The palette of a frame's images is the same, so only their comparison reads it.
  @Test func specificationsForDifferentScreensDifferThoughTheirHashesDoNot() {
    var other = Self.specification
    other.screen.palette[0] = 0
    #expect(other != Self.specification && other.hashValue == Self.specification.hashValue)
    other.rows += 1
    #expect(other.hashValue != Self.specification.hashValue)
  }

  @Test func answersAreDecoded() throws {
    for answer in answers {
      var buffer = WireBuffer()
      buffer.append(answer.framed)
      #expect(try buffer.next(ImageAnswer.self) == answer)
      #expect(try buffer.next(ImageAnswer.self) == nil)
    }
  }

  @Test func everyCutOffMessageIsMalformed() {
    for answer in answers {
      let body = Array(answer.framed.dropFirst(4))
      for count in 0..<body.count {
        var buffer = WireBuffer()
        buffer.append([UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0, 0] + body[..<count])
        #expect(throws: WireError.malformed) { try buffer.next(ImageAnswer.self) }
      }
    }
  }

  @Test func metadataIsDecodedAndMalformedIfCutOff() throws {
    var metadata = PhotoMetadata()
    metadata.takenAt = CaptureTime(clock: -1.5, offset: -3600)
    (metadata.width, metadata.camera, metadata.keywords, metadata.rating) = (6000, "C", ["a", "ü"], -1)
    metadata.place = PhotoMetadata.Place(latitude: -1, longitude: 2, altitude: 3)
    let answer = MetadataAnswer(results: [
      .success(MetadataRecord(metadata)), .success(MetadataRecord(PhotoMetadata())), .failure(.missing),
      .failure(.empty), .failure(.notAnImage), .failure(.unsupported(.xcf)),
      .failure(.harmful), .failure(.unreadable(reason: "r")), .failure(.noWorker(reason: "s")),
    ])
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    let undecoded = try #require(try buffer.next(UndecodedMetadata.self))
    #expect(try undecoded.decoded(count: answer.results.count) == answer)
    // A worker that a hostile file has taken over could send more results than there is memory for.
    #expect(throws: WireError.malformed) { try undecoded.decoded(count: answer.results.count - 1) }
    let body = Array(answer.framed.dropFirst(4))
    for count in 0..<body.count {
      buffer = WireBuffer()
      buffer.append([UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0, 0] + body[..<count])
      #expect(throws: WireError.malformed) { try buffer.next(MetadataAnswer.self) }
    }
  }

  @Test func photosOfAnyNameCanBeRequested() throws {
    let request = MetadataRequest(subjects: [
      FoundPhoto(path: FilePath([0x2F, 0xFF, 0x0A])), FoundPhoto(path: FilePath("/a"), sidecar: FilePath("/a.xmp")),
    ])
    var buffer = WireBuffer()
    buffer.append(request.framed)
    #expect(try buffer.next(MetadataRequest.self) == request)
  }

  @Test func absurdLengthsAreRefused() {
    var buffer = WireBuffer()
    buffer.append([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: WireError.malformed) { try buffer.next(ImageAnswer.self) }
  }

  /// A worker that a hostile file controls must not control the terminal, or move the text next to the image.
  @Test(arguments: [0x1B, 0x9B, 0x0A, 0x7F, 0x301, 0x202E, 0x4E00, 0xD800, 0x11_0000] as [UInt32])
  func charactersThatDoNotTakeOneCellAreRefused(scalar: UInt32) {
    let cell = CellImage.Cell(scalar: scalar, foreground: 0, background: 0)
    let answer = ImageAnswer(number: 1, content: .cells(CellImage(columns: 1, rows: 1, cells: [cell])))
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    #expect(throws: WireError.malformed) { try buffer.next(ImageAnswer.self) }
  }

  private static let kitty = "\u{1B}_Gq=2,f=100,i=1,a=t,m=1;AAAA\u{1B}\\"
  private static let sixel = "\u{1B}P0;0;0q\"1;1;9;6#0;2;0;0;0#0!9~-\u{1B}\\"
  private static let file = "/dev/shm/tintype-tty-graphics-protocol-1-3"

  @Test(arguments: [
    "", kitty, kitty + "\u{1B}_Gq=2,m=0;AAAA\u{1B}\\", sixel,
    "\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,f=100,i=1,a=T,U=1,c=2,r=1,m=0;AAAA\u{1B}\u{1B}\\\u{1B}\\",
    "\u{1B}]1337;File=inline=1;size=3;width=9px;height=6px;preserveAspectRatio=1;doNotMoveCursor=1:AAAA\u{7}",
  ])
  func sequencesOfImagesAreAccepted(bytes: String) throws { #expect(try answer(bytes: bytes) != nil) }

  /// The terminal would run programs, fill the clipboard, or answer as if keys were pressed.
  @Test(arguments: [
    "text", "\u{1B}[2J", "\u{1B}]52;c;AAAA\u{7}", kitty + "\r", "\u{1B}P$q\"p\u{1B}\\", String(kitty.dropLast()),
    sixel.replacing("#0;2", with: "\u{1B}[c"), kitty.replacing("AAAA", with: "01234567\u{7F}01234567"),
    kitty.replacing("AAAA", with: "01234567\u{9B}c"), kitty.replacing("AAAA", with: "0123\n4567"),
  ])
  func otherSequencesAreRefused(bytes: String) { #expect(throws: WireError.malformed) { try answer(bytes: bytes) } }

  /// The terminal would read or delete a file, answer, draw over the screen, or save a file.
  @Test(arguments: [
    kitty.replacing("m=1", with: "t=s,m=1"), kitty.replacing("m=1", with: "t=f,m=1"),
    kitty.replacing("m=1", with: "t=t"),
    kitty.replacing("a=t", with: "a=t,q=0"), kitty.replacing("a=t", with: "a=q"), kitty.replacing("a=t", with: "a=T"),
    kitty.replacing("m=1", with: "m="), kitty.replacing("q=2,", with: ""),
    "\u{1B}]1337;File=inline=1;inline=0;name=AAAA:AAAA\u{7}",
  ])
  func otherKeysAreRefused(bytes: String) { #expect(throws: WireError.malformed) { try answer(bytes: bytes) } }

  /// The gallery deletes the file of an image that is not shown any more, and the terminal one that it has read.
  @Test(arguments: [
    "/a", "/dev/shm/tintype-tty-graphics-protocol-/../../../a", "/dev/shm/other-tty-graphics-protocol-1-2",
  ])
  func otherFilesAreRefused(file: String) {
    #expect(throws: WireError.malformed) { try answer(bytes: Self.sequence(naming: file), file: file) }
    #expect(throws: WireError.malformed) { try answer(bytes: Self.sequence(naming: file), file: Self.file) }
    #expect(throws: WireError.malformed) { try answer(bytes: Self.sequence(naming: Self.file)) }
    #expect(throws: Never.self) { try answer(bytes: Self.sequence(naming: Self.file), file: Self.file) }
  }

  /// Returns the sequence with which kitty reads an image from a file.
  private static func sequence(naming file: String) -> String {
    "\u{1B}_Gq=2,f=24,i=3,s=9,v=20,a=t,t=t;\(Data(file.utf8).base64EncodedString())\u{1B}\\"
  }

  /// Sends an image to the gallery.
  private func answer(bytes: String = "", file: String = "") throws(WireError) -> ImageAnswer? {
    let image = GraphicImage(columns: 1, rows: 1, width: 9, height: 20, bytes: Array(bytes.utf8), file: file)
    var buffer = WireBuffer()
    buffer.append(ImageAnswer(number: 1, content: .graphic(image)).framed)
    return try buffer.next(ImageAnswer.self)
  }

  @Test(arguments: [(0, 1, 1), (5000, 1, 1), (1, 1, 0), (1, 1, 1 << 21)])
  func absurdSizesAreRefused(columns: Int, rows: Int, width: Int) {
    let image = GraphicImage(columns: columns, rows: rows, width: width, height: 1, bytes: [])
    var buffer = WireBuffer()
    buffer.append(ImageAnswer(number: 1, content: .graphic(image)).framed)
    #expect(throws: WireError.malformed) { try buffer.next(ImageAnswer.self) }
  }
}
