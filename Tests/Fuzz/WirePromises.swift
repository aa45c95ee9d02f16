import Gallery

@testable import ImageWire

/// The promises of the messages between the gallery and its image workers.
///
/// A received message is either rejected or valid, and a message that is sent is received unchanged.
struct WirePromises {
  private let kind: UInt8
  private let size: Int
  private let bytes: [UInt8]

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    (kind, size) = (choices.byte(), Int(choices.byte()) + 1)
    bytes = Array(choices.rest)
  }

  func check() throws {
    switch kind % 8 {
    case 0: try checkReceived(ImageRequest.self)
    case 1: try checkReceived(ImageAnswer.self)
    case 2: try checkReceived(MetadataRequest.self)
    case 3: try checkReceived(MetadataAnswer.self)
    case 4: try checkStream(ImageAnswer.self)
    case 5: try checkStream(MetadataAnswer.self)
    case 6: try checkSent(ImageRequest(InputChoices(bytes)))
    default: try checkSent(MetadataAnswer(InputChoices(bytes)))
    }
  }

  /// Checks the input as the body of one message, whose length is correct.
  private func checkReceived<Message: WireMessage & Hashable>(_: Message.Type) throws {
    for message in try decode(Message.self, WireBody(bytes: bytes).framed).messages {
      try checkSent(message)
      if let answer = message as? MetadataAnswer { try check(answer) }
      if let answer = message as? ImageAnswer { try check(answer) }
    }
  }

  /// Checks the input as a stream of messages, whose lengths come from the input, too.
  private func checkStream<Message: WireMessage & Hashable>(_: Message.Type) throws {
    for message in try decode(Message.self, bytes).messages { try checkSent(message) }
  }

  private func checkSent<Message: WireMessage & Hashable>(_ message: Message) throws {
    let received = try decode(Message.self, message.framed + message.framed)
    try promise(
      received == Received(messages: [message, message]),
      "a message is received as it was sent: \(message), \(received)")
  }

  private struct Received<Message: Hashable>: Equatable {
    var messages: [Message] = []
    var error: WireError?
  }

  /// Returns the messages of a stream, after checking that they don't depend on its pieces.
  private func decode<Message: WireMessage & Hashable>(_: Message.Type, _ stream: [UInt8]) throws -> Received<Message> {
    let whole = receive(Message.self, [stream[...]])
    try promise(
      receive(Message.self, stream.pieces(of: size)) == whole, "messages do not depend on the pieces of the stream")
    return whole
  }

  private func receive<Message: WireMessage & Hashable>(
    _: Message.Type, _ pieces: [ArraySlice<UInt8>]
  ) -> Received<Message> {
    var (buffer, received) = (WireBuffer(), Received<Message>())
    do throws(WireError) {
      for piece in pieces {
        buffer.append(piece)
        while let message = try buffer.next(Message.self) { received.messages.append(message) }
      }
    } catch {
      received.error = error
    }
    return received
  }

  private func check(_ answer: MetadataAnswer) throws {
    for case .success(let metadata) in answer.results { try metadata.metadata.checkTexts() }
  }

  private func check(_ answer: ImageAnswer) throws {
    guard case .cells(let image) = answer.content else { return }
    try promise(image.cells.count == image.columns * image.rows, "an image has all of its cells")
    try promise(
      image.cells.allSatisfy { $0.scalar >= 0x20 && !(0x7F..<0xA0).contains($0.scalar) }, "no cell is a control")
  }
}

/// A message with any content.
struct WireBody: WireMessage {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(from reader: inout WireReader) throws(WireError) { bytes = reader.rest() }

  func encode(to bytes: inout [UInt8]) { bytes += self.bytes }
}

extension ImageRequest {
  fileprivate init(_ choices: InputChoices) {
    var choices = choices
    let number = UInt32(choices.number(in: 0...Int(UInt32.max)))
    let path = FilePath(choices.bytes())
    var export = ExportSpecification()
    export.watermark = "\(number)"
    let jobs: [Job] = [
      .thumbnail, .appraise(.hash), .appraise(.sharpness),
      .export(ExportRequest(export, metadata: MetadataRecord(PhotoMetadata()), destination: path)),
      .drawSheet(
        SheetRequest(number % 2 == 0 ? .pdf : .png(resolution: 200), drawing: 0..<Int(number), destination: path)),
    ]
    let job = choices.number(in: 0...6)
    self.init(
      number: number, path: path,
      job: job < jobs.count ? jobs[job] : .show(RenditionRequest(of: .file(path), number, &choices)))
  }
}

extension RenditionRequest {
  fileprivate init(of image: ImageLocation, _ number: UInt32, _ choices: inout InputChoices) {
    let sides = (0..<4).map { _ in choices.number(in: 1...4096) }
    let numbers = (0..<8).map { _ in choices.number(in: 0...Int(UInt32.max)) }
    let formats: [OutputFormat] = [
      .symbols(.palette16, .sextants),
      .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true)),
      .sixel(colors: numbers[0]), .iterm, .transfer(quality: numbers[0] % 101),
    ]
    let views: [ImageView] = [
      .whole, .filling, .zoomed(scale: numbers[1], centerX: numbers[2], centerY: numbers[3]),
      .enlarged, .fillingHeight,
    ]
    let presentation = ImagePresentation(
      view: views[choices.number(in: 0...4)], rotation: ImageRotation.allCases[choices.number(in: 0...4)],
      frame: Int(Int32(truncatingIfNeeded: numbers[4])), overlay: ImageOverlay.allCases[choices.number(in: 0...2)])
    let screen = RenditionScreen(
      format: formats[choices.number(in: 0...4)], cellWidth: sides[2], cellHeight: sides[3], background: number,
      palette: Array(repeating: number, count: numbers[4] % 17))
    let budget = RenditionBudget(bytes: numbers[5], exactBytes: numbers[6], throughput: numbers[7])
    self.init(
      RenditionSpecification(image, columns: sides[0], rows: sides[1], as: presentation, on: screen),
      RenditionStage(rawValue: UInt8(choices.number(in: 0...4))) ?? .full,
      budget: choices.number(in: 0...1) == 0 ? nil : budget)
  }
}

extension MetadataAnswer {
  fileprivate init(_ choices: InputChoices) {
    var (choices, results) = (choices, [Result<MetadataRecord, PhotoFault>]())
    while !choices.rest.isEmpty {
      let faults: [PhotoFault] = [
        .missing, .empty, .notAnImage, .unsupported(.jpegXR), .harmful, .unreadable(reason: choices.reason()),
        .noWorker(reason: choices.reason()),
      ]
      let kind = choices.number(in: 0...11)
      results.append(kind < faults.count ? .failure(faults[kind]) : .success(MetadataRecord(PhotoMetadata(&choices))))
    }
    self.init(results: results)
  }
}

extension InputChoices {
  /// Returns a reason that is short enough for a message.
  fileprivate mutating func reason() -> String {
    String(String.UnicodeScalarView(text().printable.unicodeScalars.prefix(250))).printable
  }
}

extension PhotoMetadata {
  fileprivate init(_ choices: inout InputChoices) {
    self.init()
    func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
    (width, height) = (choices.number(in: 0...Int(Int32.max)), choices.number(in: 0...Int(Int32.max)))
    let numbers = (0..<8).map { _ in Double(choices.number(in: -1_000_000...1_000_000)) / 8 }
    takenAt = CaptureTime(clock: numbers[0], offset: choices.number(in: -50_000...50_000))
    (exposureTime, fNumber, focalLength) = (numbers[1], numbers[2], numbers[3])
    (iso, rating) = (choices.number(in: -9...1_000_000), choices.number(in: -9...9))
    place = Place(latitude: numbers[4], longitude: numbers[5], altitude: numbers[6] < 0 ? nil : numbers[7])
    (camera, lens) = (optional(choices.text().printable), optional(choices.text().printable))
    (title, caption) = (optional(choices.text().printable), optional(choices.text().printableLines))
    label = optional(choices.text().printable)
    keywords = (0..<choices.number(in: 0...20)).map { _ in choices.text().printable }
    isCutOff = choices.byte() > 0x7F
    if choices.byte() > 0x7F { focus = FocusPoint(x: choices.number(in: -9...70_000), y: Int(choices.byte())) }
    if choices.byte() > 0x7F { exposureBias = Double(choices.number(in: -1000...1000)) / 8 }
    if choices.byte() > 0x7F { (seriesCode, seriesNumber) = (Int(choices.byte()) % 8, Int(choices.byte())) }
    check()
  }
}
