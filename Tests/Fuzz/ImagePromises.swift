import Gallery
import Glibc

@testable import ImageWire
@testable import tintype_pictures

/// The promises of the image worker, which decodes, scales and encodes. The input is the file of an image or of a video.
///
/// The code runs in this process, without the limits of a worker. A sanitizer finds what damages memory.
struct ImagePromises {
  private let bytes: [UInt8]
  private let frames: [Int]
  private let isDeveloped: Bool

  /// The renderer, which keeps its libraries from one image to the next, as in a worker. Large images would only take long.
  nonisolated(unsafe) static let renderer = Renderer(decoder: ImageDecoder(mostPixels: 1 << 20))

  private static let formats: [OutputFormat] = [
    .symbols(.truecolor, .sextants), .symbols(.palette16, .blocks), .sixel(colors: 256), .iterm,
    .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true)),
  ]
  private static let views: [ImageView] = [
    .whole, .filling, .enlarged, .fillingHeight, .zoomed(scale: 1 << 18, centerX: 1 << 15, centerY: 1 << 14),
  ]
  private static let stages: [RenditionStage] = [.full, .once, .ahead, .glance]

  /// - Parameters:
  ///   - frames: The frames of which one is shown.
  ///   - isDeveloped: Whether raw data are developed, even if there is a preview.
  init(_ input: [UInt8], frames: [Int] = [0, 0, 1], isDeveloped: Bool = false) {
    bytes = input
    self.frames = frames
    self.isDeveloped = isDeveloped
  }

  func check() throws {
    guard let file = FuzzedFile.make(of: bytes) else { return }
    try check(ImageRequest(number: 1, path: "/image", job: .show(request())), RequestFiles(photo: file))
  }

  /// Checks the answer to a request for a rendition.
  func check(_ request: ImageRequest, _ files: RequestFiles) throws {
    guard let specification = request.rendition?.specification else { return }
    let content = try Self.answer(request, files)
    switch content {
    case .cells(let image): try check(image.columns, image.rows, in: specification)
    case .graphic(let image): try check(image.columns, image.rows, in: specification)
    case .noPreview, .appraisal, .exported, .listing, .transfer, .failure: break
    }
  }
}

extension ImagePromises {
  /// Returns the worker's answer to a request, as it is received.
  static func answer(_ request: ImageRequest, _ files: RequestFiles) throws -> ImageAnswer.Content {
    let answer = renderer.answer(request, files)
    renderer.finish()
    var buffer = WireBuffer()
    buffer.append(answer.framed)
    guard let received = try buffer.next(ImageAnswer.self) else {
      throw BrokenPromise(description: "the answer can be sent")
    }
    return received.content
  }

  private func check(_ columns: Int, _ rows: Int, in box: RenditionSpecification) throws {
    try promise(columns <= box.columns && rows <= box.rows, "a rendition fits in its box")
  }

  /// Returns a request that depends on all bytes of the image, so that every kind of request meets every kind of image.
  func request() -> RenditionRequest {
    var hash = bytes.reduce(into: UInt32(5381)) { $0 = $0 &* 33 ^ UInt32($1) }
    func choose<Value>(_ values: [Value]) -> Value {
      defer { hash /= UInt32(values.count) }
      return values[Int(hash) % values.count]
    }
    let format = choose(Self.formats)
    let palette: [UInt32] = if case .symbols(.palette16, _) = format { (0..<16).map { $0 * 0x10101 } } else { [] }
    let (columns, rows) = (choose([1, 7, 24]), choose([1, 5, 12]))
    let (rotation, view) = (choose(ImageRotation.allCases), choose(Self.views))
    let specification = RenditionSpecification(
      .file("/image"), columns: columns, rows: rows,
      as: ImagePresentation(view: view, rotation: rotation, frame: choose(frames), isDeveloped: isDeveloped),
      on: RenditionScreen(format: format, cellWidth: 4, cellHeight: 8, background: 0x102030, palette: palette))
    return RenditionRequest(
      specification, choose(Self.stages), budget: choose([nil, nil, RenditionBudget(bytes: 2000)]))
  }
}

/// The files of fuzzed inputs.
enum FuzzedFile {
  /// Returns a file without a name, with these bytes.
  static func make(of bytes: [UInt8]) -> Int32? {
    guard let name = tmpfile() else { return nil }
    defer { fclose(name) }
    guard fwrite(bytes, 1, bytes.count, name) == bytes.count, fflush(name) == 0 else { return nil }
    return dup(fileno(name))
  }
}
