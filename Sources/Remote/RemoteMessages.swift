import CZlib
import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Store

/// What one gallery wants of the one on the other machine. Paths are those of that machine.
enum RemoteRequest: Codable, Sendable {
  /// Opens the source. Answered by ``RemoteAnswer/opened(_:)``.
  case open(RemoteOpening)
  /// Fetches the photos, again and again as they change. Answered by snapshots, of which each waits for ``received``.
  case fetch
  /// A snapshot of this channel has come.
  case received
  /// Keeps steps. A request that is repeated because the connection broke has the same token, and keeps nothing again.
  case keep(token: String, [RemoteStepRequest])
  /// Writes a step that was kept.
  case write(title: String, id: Int64?)
  /// Undoes the last step, or all of the last session.
  case undo(token: String, isSession: Bool)
  /// Makes the last step again that was undone.
  case redo(token: String)
  /// Writes what waits.
  case resume
  /// Stops the work on this channel.
  case stop
  /// Foretells a change of files.
  case forecastFiles(FileChange, [FilePath])
  /// Foretells renames: the files of each photo, and the new name.
  case forecastRenames([RemoteRename])
  /// Foretells exports.
  case forecastExports([PhotoExport])
  /// Appraises images.
  case appraise([FilePath], ImageAppraisal.Detail)
  /// Finds files with the same bytes.
  case contents([FilePath])
  /// Lists the folders, or the archives, in a folder.
  case list(FilePath, archives: Bool)
  /// Reports what `tintype doctor` says about the machine.
  case report
  /// Describes files, and the sidecars of the photo that they are.
  case describe([FilePath])
  /// Reads a part of a file. Answered by its bytes.
  case read(FilePath, offset: Int64, count: Int)
  /// Counts the photos in a folder, up to a number.
  case summarize(FilePath, upTo: Int)
}

/// What a source is opened with.
public struct RemoteOpening: Codable, Sendable {
  /// The path of the folder or the photo. It is relative to the user's own folder unless it begins with a slash.
  public var path: [UInt8]
  /// The endings of edited versions, as in `PhotoParts`.
  public var editedEndings: [String]
  /// Whether new sidecars are called `a.xmp`.
  public var usesShortNames: Bool
  /// The language of messages.
  public var language: String

  /// Creates an opening.
  public init(path: [UInt8], editedEndings: [String], usesShortNames: Bool, language: String) {
    self.path = path
    self.editedEndings = editedEndings
    self.usesShortNames = usesShortNames
    self.language = language
  }
}

/// A source that was opened.
public struct RemoteOpened: Codable, Sendable {
  /// The absolute path of the folder that is shown.
  public var root: FilePath
  /// Whether a photo was named, which is shown first.
  public var isPhoto: Bool

  /// Creates a description.
  public init(root: FilePath, isPhoto: Bool) {
    self.root = root
    self.isPhoto = isPhoto
  }
}

/// A step that is to be kept: the photos, and the operation on each as the journal has it.
struct RemoteStepRequest: Codable, Sendable {
  var title: String
  var photos: [FilePath]
  var operations: [Data]
}

/// A rename that is to be foretold, and its place among the others.
struct RemoteRename: Codable, Sendable {
  var place: Int
  var files: [FilePath]
  var stem: String
}

/// An answer to a ``RemoteRequest``.
enum RemoteAnswer: Codable, Sendable {
  case opened(RemoteOpened)
  /// The request was refused, with the reason as sentences.
  case refused(String)
  case steps([Step])
  /// The progress of a step that is being written.
  case progress(StepProgress)
  /// The step as it is now, or nil if there was none to undo.
  case step(Step?)
  case fileForecast(FileForecast)
  case renameForecast([RemoteRename], obstacles: [Int: String])
  case appraisals([ImageAppraisal?])
  case contents([FileContent?])
  case paths([FilePath])
  case summary(photoCount: Int, cover: FilePath?)
  case files([RemoteFile])
  case report([String])
}

/// A file that can be fetched.
struct RemoteFile: Codable, Hashable, Sendable {
  var path: FilePath
  /// The size in bytes.
  var size: Int64
  /// The modification time in nanoseconds since 1970.
  var modifiedAt: Int64
}

extension RemoteAnswer {
  /// Whether the numbers are possible ones, with which the caller can calculate.
  var isValid: Bool {
    let (counts, sizes) = (0...Int(Int32.max), 0...(Int64(1) << 50))
    switch self {
    case .progress(let progress):
      return [progress.total, progress.done, progress.planned].allSatisfy(counts.contains)
        && [progress.plannedSize, progress.copiedSize].allSatisfy(sizes.contains)
    case .fileForecast(let forecast):
      return counts.contains(forecast.takenCount) && sizes.contains(forecast.size)
        && forecast.free.map { $0 >= 0 } ?? true
    case .appraisals(let appraisals):
      return appraisals.allSatisfy { appraisal in
        guard let appraisal else { return true }
        return appraisal.sharpness.count <= ImageAppraisal.side * ImageAppraisal.side
          && appraisal.cells.count <= ImageAppraisal.cellSide * ImageAppraisal.cellSide
      }
    case .contents(let contents): return contents.allSatisfy { $0.map { sizes.contains(Int64($0.size)) } ?? true }
    case .summary(let count, _): return counts.contains(count)
    case .files(let files): return files.allSatisfy { sizes.contains($0.size) && $0.modifiedAt >= 0 }
    case .opened, .refused, .steps, .step, .renameForecast, .paths, .report: return true
    }
  }

  /// The urgency of the answer: long ones must not hold up an image.
  var priority: RemoteLink.Priority {
    switch self {
    case .opened, .refused, .steps, .progress, .step, .fileForecast, .renameForecast: .urgent
    case .appraisals, .contents, .paths, .summary, .files, .report: .list
    }
  }
}

/// A message as bytes. The first one names its kind.
enum RemoteCoding {
  /// The kinds of messages.
  private enum Kind {
    static let (json, image): (UInt8, UInt8) = (0, 1)
    static let (snapshot, file, packedJSON): (UInt8, UInt8, UInt8) = (2, 3, 4)
  }

  /// A request that has come.
  enum IncomingRequest {
    case request(RemoteRequest)
    /// - knownAt: The modification time of the photo whose image is known, or 0.
    case image(ImageRequest, isAhead: Bool, knownAt: Int)
  }

  /// An answer that has come, or the part of it that has come so far.
  enum IncomingAnswer {
    case answer(RemoteAnswer)
    /// An image with the bytes so far.
    case image(ImageAnswer)
    case snapshot(RemoteSnapshot)
    /// A part of a file.
    case bytes([UInt8])
  }

  static func bytes(_ request: RemoteRequest) -> [UInt8] { json(request) }
  static func bytes(_ answer: RemoteAnswer) -> [UInt8] { json(answer) }

  private static func json(_ value: some Encodable) -> [UInt8] {
    let text = [UInt8]((try? JSONEncoder().encode(value)) ?? Data())
    return text.count < leastPacked ? [Kind.json] + text : [Kind.packedJSON] + RemoteCompression.compress(text)
  }

  /// The least bytes of a text that is compressed.
  private static let leastPacked = 512

  private static func text(_ kind: UInt8, _ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    kind == Kind.packedJSON ? try RemoteCompression.decompress(bytes) : bytes
  }

  static func bytes(_ request: ImageRequest, isAhead: Bool, knownAt: Int) -> [UInt8] {
    var bytes = [Kind.image, isAhead ? 1 : 0]
    bytes.put(UInt64(bitPattern: Int64(knownAt)))
    request.encode(to: &bytes)
    return bytes
  }

  /// The bytes of a file come last, so that the first of them can be shown.
  static func bytes(_ answer: ImageAnswer) -> [UInt8] {
    var (head, file): ([UInt8], [UInt8]) = ([], [])
    var answer = answer
    if case .transfer(var image) = answer.content {
      file = image.bytes
      image.bytes = []
      answer.content = .transfer(image)
    }
    answer.encode(to: &head)
    var bytes = [Kind.image]
    bytes.put(head)
    return bytes + file
  }

  static func bytes(ofFile part: [UInt8]) -> [UInt8] { [Kind.file] + part }

  static func bytes(_ snapshot: RemoteSnapshot) -> [UInt8] {
    var head: [UInt8] = []
    head.put([UInt8]((try? JSONEncoder().encode(snapshot.head)) ?? Data()))
    return [Kind.snapshot] + RemoteCompression.compress(head + snapshot.table)
  }

  static func request(_ bytes: [UInt8]) throws(WireError) -> IncomingRequest {
    var reader = WireReader(bytes[...])
    switch try reader.uint8() {
    case let kind where kind == Kind.json || kind == Kind.packedJSON:
      return .request(try decode(try text(kind, reader.rest())))
    case Kind.image:
      let isAhead = try reader.flag()
      let knownAt = Int(Int64(bitPattern: try reader.uint64()))
      let request = try ImageRequest(from: &reader)
      guard reader.isAtEnd else { throw .malformed }
      return .image(request, isAhead: isAhead, knownAt: knownAt)
    default: throw .malformed
    }
  }

  /// Returns an answer, or nil if too little of it has come.
  static func answer(_ bytes: [UInt8], isWhole: Bool) throws(WireError) -> IncomingAnswer? {
    guard let kind = bytes.first else {
      if isWhole { throw .malformed }
      return nil
    }
    guard isWhole || kind == Kind.image else { return nil }
    var reader = WireReader(bytes.dropFirst())
    switch kind {
    case Kind.json, Kind.packedJSON:
      let answer: RemoteAnswer = try decode(try text(kind, reader.rest()))
      guard answer.isValid else { throw .malformed }
      return .answer(answer)
    case Kind.image:
      guard isWhole || hasHead(bytes) else { return nil }
      var head = WireReader(try reader.blob()[...])
      var answer = try ImageAnswer(from: &head)
      guard head.isAtEnd else { throw .malformed }
      switch answer.content {
      case .transfer(var image):
        image.bytes = reader.rest()
        answer.content = .transfer(image)
      case .noPreview, .failure: guard reader.isAtEnd else { throw .malformed }
      case .cells, .graphic, .appraisal, .exported, .listing: throw .malformed
      }
      return .image(answer)
    case Kind.file: return .bytes(reader.rest())
    case Kind.snapshot:
      var reader = WireReader(try RemoteCompression.decompress(reader.rest())[...])
      let head: RemoteSnapshot.Head = try decode(try reader.blob())
      return .snapshot(RemoteSnapshot(head: head, table: reader.rest()))
    default: throw .malformed
    }
  }

  private static func hasHead(_ bytes: [UInt8]) -> Bool {
    var reader = WireReader(bytes.dropFirst())
    return (try? reader.int()).map { bytes.count >= 5 + $0 } ?? false
  }

  private static func decode<Value: Decodable>(_ bytes: [UInt8]) throws(WireError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch { throw .malformed }
  }
}

/// A snapshot of the photos as it is sent: what has changed since the one before, which the receiver has.
struct RemoteSnapshot: Sendable {
  struct Head: Codable, Sendable {
    var capabilities: UInt8
    /// The first problems, each with the file that it is about.
    var problems: [Problem]
    var opened: Int?
    /// The numbers of photos that have been read and that there are; nil if that is not known.
    var progress: [Int]?
    var isComplete: Bool
    var totalItems: Int
    /// Whether the table follows the one before. If not, it stands alone.
    var isChange: Bool
  }

  struct Problem: Codable, Sendable {
    var file: String?
    var message: String
  }

  var head: Head
  /// The table, as `TableCoding` has it.
  var table: [UInt8]
}

extension RemoteSnapshot {
  init(_ snapshot: PhotoSnapshot, after former: PhotoTable?) {
    var coding = TableCoding(after: former ?? PhotoTable())
    table = coding.encode(snapshot.photos)
    head = Head(
      capabilities: snapshot.capabilities.rawValue,
      problems: snapshot.problems.first.map { problem in
        if case .file(let file) = problem.place {
          Problem(file: file, message: problem.reason)
        } else {
          Problem(file: nil, message: problem.message)
        }
      },
      opened: snapshot.opened,
      progress: snapshot.progress.map { [$0.done, $0.total] }, isComplete: snapshot.isComplete,
      totalItems: snapshot.totalItems, isChange: former != nil)
  }

  /// Returns the snapshot that was sent.
  func snapshot(after former: PhotoTable, base: RemoteBase) throws(WireError) -> PhotoSnapshot {
    let photos: PhotoTable
    do throws(MalformedMetadata) {
      photos = try TableCoding(after: head.isChange ? former : PhotoTable()).decode(table, base: base)
    } catch { throw .malformed }
    var snapshot = PhotoSnapshot(photos: photos, totalItems: min(max(photos.count, head.totalItems), Int(Int32.max)))
    snapshot.capabilities = SourceCapabilities(rawValue: head.capabilities)
    for problem in head.problems {
      snapshot.problems.append(
        CatalogProblem(problem.file.map { .file($0) } ?? .folder, .told(problem.message)))
    }
    snapshot.opened = head.opened
    if let progress = head.progress, progress.count == 2, 0...Int(Int32.max) ~= progress[1],
      0...progress[1] ~= progress[0]
    {
      snapshot.progress = PhotoSnapshot.Progress(done: progress[0], total: progress[1], unit: .photos)
    }
    snapshot.isComplete = head.isComplete
    return snapshot
  }
}

/// The place of the images of a source on another machine. None of their addresses leads to a file here or to the web.
struct RemoteBase: RemoteImageBase {
  let root: FilePath
  let machine: String

  func location(of imageURL: String) -> ImageLocation? {
    .file(FilePath(imageURL.hasPrefix("/") ? FilePath(imageURL) : root.appending(imageURL.utf8), on: machine))
  }

  func location(ofPath path: [UInt8]) -> ImageLocation {
    let slash = UInt8(ascii: "/")
    return .file(FilePath(FilePath(path.first == slash ? path : [slash] + path), on: machine))
  }
}

/// The compression of what is sent at once (zlib, RFC 1950), after the number of its bytes.
enum RemoteCompression {
  private static let most = 256 << 20
  private static let level: Int32 = 6

  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var packed: [UInt8] = []
    packed.put(bytes.count)
    return packed
      + [UInt8](unsafeUninitializedCapacity: Int(count)) { target, used in
        let status = compress2(target.baseAddress, &count, bytes, UInt(bytes.count), level)
        used = status == Z_OK ? Int(count) : 0
      }
  }

  static func decompress(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    var reader = WireReader(bytes[...])
    let length = try reader.int(in: 0...most)
    let packed = reader.rest()
    if length == 0 { return [] }
    var count = UInt(length)
    var status = Z_OK
    let result = [UInt8](unsafeUninitializedCapacity: length) { target, used in
      status = uncompress(target.baseAddress, &count, packed, UInt(packed.count))
      used = status == Z_OK ? Int(count) : 0
    }
    guard status == Z_OK, result.count == length else { throw .malformed }
    return result
  }
}
