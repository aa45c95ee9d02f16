import CZlib
import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Store

/// A request to the gallery on the other machine. Paths are those of that machine.
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
  /// Undoes the last step, or all of the last session, without the steps of some calls, which were requested later.
  case undo(token: String, isSession: Bool, later: [String])
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

/// The source that is opened, and the settings of the gallery that opens it.
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

  /// The most bytes of a file, and of what a step copies: as many as the sums of any answers stay numbers.
  static let mostBytes = Int64(1) << 50
}

extension Sequence<RemoteFile> {
  /// The bytes of all files together, or ``RemoteFile/mostBytes`` if they are more.
  var size: Int64 { reduce(0) { Swift.min($0 + $1.size, RemoteFile.mostBytes) } }
}

extension RemoteAnswer {
  /// Whether the numbers are possible ones, with which the caller can calculate.
  var isValid: Bool {
    let (counts, sizes) = (0...Int(Int32.max), 0...RemoteFile.mostBytes)
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
