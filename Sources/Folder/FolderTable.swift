import Gallery
import Photos
import Store

/// The photos of a folder's rows, packed in blocks. Only the blocks whose rows have changed are packed again.
package struct FolderTable: Sendable {
  /// Returns the location of an image by its path and its stamp.
  package typealias Location = @Sendable (FilePath, PhotoIndex.Stamp?) -> ImageLocation

  /// The rows of one block, packed.
  private struct Block: Sendable {
    let photos: PackedPhotos
    /// The number of rows whose files have been read.
    let readCount: Int
    let problems: [CatalogProblem]
  }

  /// The folder from which paths are shown.
  private let root: FilePath
  /// The locations of the images by their paths; nil if they are files of this machine.
  private let location: Location?
  private var blocks: [Block?] = []

  private static let blockSize = 4096

  init(root: FilePath, location: Location? = nil) {
    self.root = root
    self.location = location
  }

  /// The length of the part of a path that is not shown. Paths below "/" are shown with their slash.
  private var prefix: Int { root == "/" ? 0 : root.appending([]).bytes.count }

  /// Notes that a row has changed, or that it is a new one at the end.
  mutating func change(row: Int) {
    let block = row / Self.blockSize
    if block < blocks.count { blocks[block] = nil }
  }

  /// Notes that all rows may have changed.
  mutating func changeAll() { blocks = [] }

  /// Packs the blocks that have changed, on all cores.
  mutating func pack(_ rows: [FolderRow]) async {
    let count = (rows.count + Self.blockSize - 1) / Self.blockSize
    blocks = blocks.prefix(count) + Array(repeating: nil, count: max(0, count - blocks.count))
    let changed = blocks.indices.filter { blocks[$0] == nil }
    let (root, prefix, location) = (root, prefix, location)
    if changed.count == 1 {
      blocks[changed[0]] = Self.block(Self.rows(rows, of: changed[0]), root: root, prefix: prefix, location)
      return
    }
    await withTaskGroup { group in
      for index in changed {
        group.addTask { (index, Self.block(Self.rows(rows, of: index), root: root, prefix: prefix, location)) }
      }
      for await (index, block) in group { blocks[index] = block }
    }
  }

  private static func rows(_ rows: [FolderRow], of block: Int) -> ArraySlice<FolderRow> {
    rows[(block * blockSize)..<min(rows.count, (block + 1) * blockSize)]
  }

  private static func block(
    _ rows: ArraySlice<FolderRow>, root: FilePath, prefix: Int, _ location: Location?
  ) -> Block {
    var (packer, clock, readCount) = (PhotoPacker(base: root), ClockOffsets(), 0)
    var problems: [CatalogProblem] = []
    // A path that is not UTF-8 can't be made of a text again.
    let hasImages = location != nil || rows.contains { !$0.found.path.isUTF8 }
    for row in rows {
      let image = hasImages ? location?(row.found.path, row.stamp) ?? .file(row.found.path) : nil
      row.pack(into: &packer, prefix: prefix, image: image, clock: &clock)
      if row.result != nil || !row.isUnread { readCount += 1 }
      if let trouble = row.trouble { problems.append(CatalogProblem(.file(row.name(prefix: prefix)), trouble)) }
    }
    return Block(photos: packer.pack(), readCount: readCount, problems: problems)
  }

  // The following are of the rows that were packed last.

  var photos: PhotoTable { PhotoTable(segments: blocks.compactMap { $0?.photos }) }
  var problems: [CatalogProblem] { blocks.flatMap { $0?.problems ?? [] } }
  /// The number of rows whose files have been read.
  var readCount: Int { blocks.reduce(0) { $0 + ($1?.readCount ?? 0) } }
}

extension FilePath {
  fileprivate var isUTF8: Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}
