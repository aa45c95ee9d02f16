import Foundation
import Gallery
import Photos

/// A reader of a list of image paths, each of which ends with a newline or with a zero byte.
///
/// A photo has the name and the modification date of its file. A path without a file is reported and skipped. In an extended M3U
/// list, whose first line is `#EXTM3U`, lines that begin with `#` are comments.
struct PathListReader: PhotoReader {
  let hasFileDates = true
  /// The maximum length of a path in bytes (`PATH_MAX` of Linux).
  private static let longest = 4096

  private(set) var photos = PhotoTable()
  private(set) var problems = CatalogProblems()
  let pageNumber: Int? = nil
  let totalPages: Int? = nil
  let totalItems: Int? = nil

  private let end: UInt8
  private let folder: FilePath
  private var packer: PhotoPacker
  private var path: [UInt8] = []
  private var pathsRead = 0
  private var hasComments = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - end: The byte at the end of each path.
  ///   - folder: The absolute path that relative paths start from.
  init(end: UInt8, folder: FilePath) {
    self.end = end
    self.folder = folder
    packer = PhotoPacker(base: folder)
  }

  var unflushed: Int { packer.count }

  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == end {
        endPath()
      } else if path.count <= Self.longest {
        path.append(byte)
      }
    }
  }

  mutating func flush() {
    if packer.count > 0 { photos.append(packer.pack()) }
  }

  mutating func finish(failure: ReadingFault?) {
    endPath()
    if let failure { report(.reading(failure), row: nil) }
    flush()
  }

  private mutating func endPath() {
    if end == UInt8(ascii: "\n"), path.last == UInt8(ascii: "\r") { path.removeLast() }
    defer { path.removeAll(keepingCapacity: true) }
    pathsRead += 1
    if pathsRead == 1, end == UInt8(ascii: "\n"), path.elementsEqual("#EXTM3U".utf8) { hasComments = true }
    if path.isEmpty || hasComments && path.first == UInt8(ascii: "#") { return }
    let text = String(decoding: path, as: UTF8.self)
    guard path.count <= Self.longest else { return report(.pathTooLong, row: pathsRead) }
    let absolute = path.first == UInt8(ascii: "/") ? FilePath(path) : folder.appending(path)
    var status = stat()
    guard absolute.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return report(.noFile(text), row: pathsRead)
    }
    let changed = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    packer.append(
      Photo(
        id: pathsRead, name: absolute.printableName, createdAt: changed,
        createdOffset: LocalClock.system.secondsFromUTC(changed), imageURL: text, image: .file(absolute)))
    if packer.isFull { flush() }
  }

  private mutating func report(_ fault: CatalogProblem.Fault, row: Int?) {
    problems.append(CatalogProblem(.text(line: pathsRead, column: 1, row: row), fault))
  }
}
