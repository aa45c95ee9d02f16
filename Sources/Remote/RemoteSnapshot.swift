import CZlib
import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Store

/// A snapshot of the photos as it is sent: what has changed since the one before, which the receiver has.
struct RemoteSnapshot: Sendable {
  struct Head: Codable, Sendable {
    var capabilities: UInt64
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
