import Foundation
import Gallery
import Photos
import Store

/// The rows of a folder, and the rules by which they change. No file is opened; only its size and times are read.
struct FolderRows: Sendable {
  private(set) var rows: [FolderRow] = []
  /// The index of each photo's row.
  private var places: [FilePath: Int] = [:]
  /// The indices of removed rows that are still in the list.
  private var gone: Set<Int> = []
  /// The source of ids. They are made from paths, so that a photo has the same id when the folder is opened again.
  private var ids = PhotoIDs()

  /// The progress of one pass through the folder.
  struct Scan {
    /// Whether there were no rows before, so that photos are shown as soon as they are found.
    fileprivate let isFirst: Bool
    fileprivate var rows: [FolderRow] = []
    fileprivate var seen: Set<FilePath> = []
  }

  /// Starts a pass through the folder.
  func startScan() -> Scan { Scan(isFirst: rows.isEmpty) }

  /// Adds found photos to a scan, and to the rows if it is the first scan.
  mutating func add(_ found: some Sequence<FoundPhoto>, to scan: inout Scan) {
    // A photo that the user named may also be in a folder that the user named.
    for photo in found where scan.seen.insert(photo.path).inserted {
      let row = row(photo)
      scan.rows.append(row)
      if scan.isFirst {
        places[photo.path] = rows.count
        rows.append(row)
      }
    }
  }

  /// Replaces the rows with the result of a scan.
  ///
  /// - Parameter index: The metadata from earlier sessions. A file is not read again if its stamp has not changed.
  /// - Returns: The paths from the rows and the index that are no longer in the folder.
  mutating func finish(_ scan: Scan, index: [FilePath: PhotoIndex.Entry]) -> [FilePath] {
    let gone = rows.filter { !scan.seen.contains($0.found.path) }
    let forgotten = index.values.filter { !scan.seen.contains($0.path) }
    let known = Dictionary(
      gone.compactMap { row in row.look.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
    let remembered = Dictionary(forgotten.map { ($0.look, $0.metadata) }, uniquingKeysWith: { first, _ in first })
    replace(
      with: scan.rows.map { row in
        guard row.result == nil, let stamp = row.stamp, let look = row.look else { return row }
        if let entry = index[row.found.path], entry.stamp == stamp { return row.with(.success(entry.metadata)) }
        // The file was moved here from another folder.
        if let old = known[look] { return FolderRow(id: old.id, found: row.found, stamp: stamp, result: old.result) }
        return remembered[look].map { row.with(.success($0)) } ?? row
      })
    return gone.map(\.found.path) + forgotten.map(\.path)
  }

  /// The photos whose files have not been read yet.
  var unread: [FoundPhoto] { rows.filter { $0.result == nil }.map(\.found) }

  /// Adds the results of reading files. Files that have been removed in the meantime are ignored.
  ///
  /// - Returns: The entries for the index.
  mutating func add(_ results: [(FoundPhoto, Result<PhotoMetadata, PhotoFault>)]) -> [PhotoIndex.Entry] {
    results.compactMap { photo, result in
      guard let place = places[photo.path] else { return nil }
      rows[place].result = result
      guard let stamp = rows[place].stamp, case .success(let metadata) = result else { return nil }
      return PhotoIndex.Entry(path: photo.path, stamp: stamp, metadata: metadata)
    }
  }

  /// Updates the rows after a file or a sidecar was written. Files that are not photos are ignored.
  mutating func update(_ path: FilePath) {
    let name = Array(path.name)
    if PhotoName.isSidecar(name) { return updateSidecar(path) }
    if let place = places[path] {
      rows[place] = FolderRow(id: rows[place].id, found: rows[place].found, stamp: .init(of: rows[place].found))
    } else if PhotoName.isPhoto(name), name.first != UInt8(ascii: ".") {
      // The change may belong to a folder that has been moved away.
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { return }
      let row = row(FoundPhoto(at: path))
      places[path] = rows.count
      rows.append(row)
    }
  }

  /// Removes a photo. Its row stays until the next ``removeGone()``, because thousands may be deleted at once.
  ///
  /// - Returns: Whether there was such a photo.
  mutating func remove(_ path: FilePath) -> Bool {
    if PhotoName.isSidecar(Array(path.name)) { updateSidecar(path) }
    guard let place = places.removeValue(forKey: path) else { return false }
    gone.insert(place)
    return true
  }

  /// Takes the rows of removed photos out of the list.
  mutating func removeGone() {
    guard !gone.isEmpty else { return }
    replace(with: rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element))
    gone = []
  }

  /// Moves the row of a file that has been renamed, with its metadata.
  mutating func move(_ old: FilePath, to new: FilePath) {
    guard let place = places[old], places[new] == nil, PhotoName.isPhoto(Array(new.name)),
      new.name.first != UInt8(ascii: ".")
    else {
      _ = remove(old)
      return update(new)
    }
    places[old] = nil
    places[new] = place
    let row = rows[place]
    let found = FoundPhoto(at: new)
    rows[place] = FolderRow(id: row.id, found: found, stamp: .init(of: found))
    // The metadata from a sidecar belonged to the old name.
    if row.found.sidecar == nil, rows[place].stamp == row.stamp { rows[place].result = row.result }
  }

  private mutating func updateSidecar(_ path: FilePath) {
    let folder = path.bytes.dropLast(path.name.count)
    for (place, row) in rows.enumerated()
    where row.found.path.bytes.starts(with: folder)
      && PhotoName.sidecars(of: Array(row.found.path.name)).contains(Array(path.name))
    {
      let found = FoundPhoto(at: row.found.path)
      rows[place] = FolderRow(id: row.id, found: found, stamp: .init(of: found))
    }
  }

  private mutating func row(_ photo: FoundPhoto) -> FolderRow {
    let stamp = PhotoIndex.Stamp(of: photo)
    if let place = places[photo.path] {
      let old = rows[place]
      let isSame = stamp != nil && old.stamp == stamp
      return FolderRow(id: old.id, found: photo, stamp: stamp, result: isSame ? old.result : nil)
    }
    return FolderRow(id: ids.id(photo.path.bytes), found: photo, stamp: stamp)
  }

  private mutating func replace(with new: [FolderRow]) {
    rows = new
    // Released ids are given to the same paths again, so a file that returns is the same photo.
    ids.keep(new.lazy.map(\.id))
    places = Dictionary(new.enumerated().map { ($1.found.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The properties that a file keeps when it is moved to another folder.
private struct Look: Hashable {
  let name: ArraySlice<UInt8>
  let stamp: PhotoIndex.Stamp
}

extension FolderRow {
  fileprivate var look: Look? { stamp.map { Look(name: found.path.name, stamp: $0) } }

  fileprivate func with(_ result: Result<PhotoMetadata, PhotoFault>) -> FolderRow {
    FolderRow(id: id, found: found, stamp: stamp, result: result)
  }
}

extension PhotoIndex.Entry {
  fileprivate var look: Look { Look(name: path.name, stamp: stamp) }
}
