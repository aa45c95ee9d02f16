import Gallery
import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The answers of an image worker that a hostile file has taken over.
public enum ImageAttack: String, CaseIterable, Sendable {
  // Answers that come at the wrong time, or to the wrong request.
  case answersAnother, answersTwice, answersUnasked, floods, endsAtOnce, ends
  // Messages that are none.
  case claimsTooMuch, claimsMuch, sendsZeros, endsAfterLength
  // Images that were not asked for.
  case sendsMoreColumns, sendsMoreRows, sendsMostCells, sendsLargeGraphic, sendsMostBytes, sendsOtherKind
  case sendsFileName, sendsOtherSequences
  // Answers to other jobs.
  case sendsNoPreview, sendsAppraisal, sendsExport, sendsListing, sendsTransfer
  // Properties that no image has.
  case hasNoHeight, hasNoWidth, isHuge, hasManyFrames, isNeverSharp, isLongFilm
  // Reasons.
  case hasLongReason, hasEscapes, hasExtremes, hasLargeSize
  /// Descriptors that come with each answer.
  case passesDescriptors

  /// The answer of a worker that nothing has taken over.
  static func answer(_ request: ImageRequest) -> ImageAnswer { answer(request, content(request.job)) }

  private static func answer(
    _ request: ImageRequest, _ content: ImageAnswer.Content, _ info: ImageInfo = ImageInfo(width: 640, height: 480)
  ) -> ImageAnswer {
    ImageAnswer(number: request.number, content: content, info: info)
  }

  private static func content(_ job: ImageRequest.Job) -> ImageAnswer.Content {
    switch job {
    case .show(let rendition):
      let specification = rendition.specification
      return specification.screen.format.characterColors == nil
        ? graphic(specification) : cells(specification.columns, specification.rows)
    case .thumbnail: return .noPreview
    case .appraise: return .appraisal(ImageAppraisal(hash: 0))
    case .export, .drawSheet: return .exported(ExportedImage(width: 1, height: 1, bytes: 1, quality: 0))
    case .list: return .listing(ArchiveListing())
    }
  }

  /// An image of number signs, by which a test knows it.
  private static func cells(_ columns: Int, _ rows: Int) -> ImageAnswer.Content {
    let cell = CellImage.Cell(scalar: 0x23, foreground: 0xFFFFFF, background: 0)
    return .cells(CellImage(columns: columns, rows: rows, cells: Array(repeating: cell, count: columns * rows)))
  }

  private static func graphic(
    _ specification: RenditionSpecification, columns: Int? = nil, rows: Int? = nil, byteCount: Int = 8,
    file: String = ""
  ) -> ImageAnswer.Content {
    let payload = String(repeating: "?", count: byteCount)
    return .graphic(
      GraphicImage(
        columns: columns ?? specification.columns, rows: rows ?? specification.rows, width: 1, height: 1,
        bytes: Array("\u{1B}P0;0;0q\"1;1;1;1\(payload)\u{1B}\\".utf8), file: file))
  }

  /// Returns the acts that follow a request.
  func acts(on request: ImageRequest) -> [Act] {
    let honest = Self.answer(request)
    switch self {
    case .answersAnother: return [.send(ImageAnswer(number: request.number &+ 1, content: honest.content).framed)]
    case .answersTwice, .answersUnasked: return [.send(honest.framed + honest.framed)]
    case .floods: return [.flood(honest.framed)]
    case .endsAtOnce, .ends: return [.end]
    case .claimsTooMuch: return [.send([0xFF, 0xFF, 0xFF, 0xFF]), .wait]
    case .claimsMuch: return [.send([0, 0, 0, 4]), .flood(Array(repeating: 7, count: 1 << 16))]
    case .sendsZeros: return [.flood(Array(repeating: 0, count: 1 << 16))]
    case .endsAfterLength: return [.send(Array(honest.framed.prefix(4))), .end]
    case .sendsFileName: return [.send(Self.answer(request, Self.fileName(request.number)).framed)]
    case .sendsOtherSequences: return [.send(Self.answer(request, Self.otherSequences).framed)]
    case .hasLongReason: return [.send(Self.longReason(request))]
    case .passesDescriptors: return PassedDescriptors(for: request.path).acts(with: honest.framed)
    default: return [.send(answer(request).framed)]
    }
  }

  private func answer(_ request: ImageRequest) -> ImageAnswer {
    Self.answer(request, content(request) ?? Self.content(request.job), info)
  }

  /// Returns the content of an attack, or nil if that is as it should be.
  private func content(_ request: ImageRequest) -> ImageAnswer.Content? {
    guard let specification = request.rendition?.specification else { return nil }
    let (columns, rows) = (specification.columns, specification.rows)
    switch self {
    case .sendsMoreColumns: return Self.cells(columns + 1, rows)
    case .sendsMoreRows: return Self.cells(columns, rows + 1)
    case .sendsMostCells: return Self.cells(4096, 1300)
    case .sendsLargeGraphic: return Self.graphic(specification, columns: 4096, rows: 4096)
    case .sendsMostBytes: return Self.graphic(specification, byteCount: 63 << 20)
    case .sendsOtherKind:
      return specification.screen.format.characterColors == nil
        ? Self.cells(columns, rows) : Self.graphic(specification)
    case .sendsNoPreview: return .noPreview
    case .sendsAppraisal: return .appraisal(ImageAppraisal(hash: 0))
    case .sendsExport: return .exported(ExportedImage(width: 1, height: 1, bytes: 1, quality: 0))
    case .sendsListing: return .listing(ArchiveListing())
    case .sendsTransfer: return .transfer(TransferredImage(width: 1, height: 1, bytes: [1]))
    case .hasEscapes:
      return .failure(.damaged(.library(reason: "a\u{1B}]0;b\u{7}\u{9B}31mc\u{202E}d\n\r\te\u{7F}\u{0}f")))
    case .hasExtremes: return .failure(.damaged(.bitmap(depth: .min, compression: .max)))
    case .hasLargeSize: return .failure(.tooLarge(width: .max, height: .min))
    default: return nil
    }
  }

  /// Returns an answer with a reason of a megabyte, which no worker would send.
  private static func longReason(_ request: ImageRequest) -> [UInt8] {
    var body: [UInt8] = []
    answer(request, .failure(.damaged(.library(reason: "")))).encode(to: &body)
    body.removeLast(4)
    body.put(String(repeating: "An endless reason. ", count: 1 << 16))
    var message: [UInt8] = []
    message.put(body.count)
    return message + body
  }

  private var info: ImageInfo {
    let most = Int(Int32.max)
    switch self {
    case .hasNoHeight: return ImageInfo(width: 5, height: 0)
    case .hasNoWidth: return ImageInfo(width: 0, height: 5)
    case .isHuge: return ImageInfo(width: most, height: 1, scale: most, modifiedAt: .min)
    case .hasManyFrames: return ImageInfo(width: 640, height: 480, frames: most)
    case .isNeverSharp: return ImageInfo(width: 640, height: 480, isSharp: false)
    case .isLongFilm:
      var info = ImageInfo(width: 640, height: 480, delay: most)
      info.duration = most
      info.position = most
      return info
    default: return ImageInfo(width: 640, height: 480)
    }
  }

  /// A file that the terminal would read and delete.
  private static func fileName(_ number: UInt32) -> ImageAnswer.Content {
    .graphic(
      GraphicImage(
        columns: 1, rows: 1, width: 1, height: 1,
        bytes: Array("\u{1B}_Gq=2,f=24,i=\(number),s=1,v=1,a=t,t=t;L2V0Yy9wYXNzd2Q=\u{1B}\\".utf8), file: "/etc/passwd")
    )
  }

  /// Writes to the clipboard of the terminal.
  private static let otherSequences = ImageAnswer.Content.graphic(
    GraphicImage(columns: 1, rows: 1, width: 1, height: 1, bytes: Array("\u{1B}]52;c;cm0=\u{7}".utf8)))
}
