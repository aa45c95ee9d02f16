import Foundation
import Gallery
import Photos
import Store

/// The rows of a folder, and how they change. Reads no file but to look how old it is.
struct FolderRows: Sendable {
  private(set) var rows: [FolderRow] = []
  private var places: [FilePath: Int] = [:]
  /// The places of rows that have been taken out.
  private var gone: Set<Int> = []
  /// Made of paths, so that a photo has the same one when the folder is opened anew.
  private var ids = PhotoIDs()

  /// How far one has come in going through the folder.
  struct Scan {
    /// Whether nothing was known before: then what is found shows at once.
    fileprivate let isFirst: Bool
    fileprivate var rows: [FolderRow] = []
    fileprivate var seen: Set<FilePath> = []
  }

  func startScan() -> Scan { Scan(isFirst: rows.isEmpty) }

  mutating func add(_ found: some Sequence<FoundPhoto>, to scan: inout Scan) {
    // What was named itself may be in a folder that was named, too.
    for photo in found where scan.seen.insert(photo.path).inserted {
      let row = row(photo)
      scan.rows.append(row)
      if scan.isFirst {
        places[photo.path] = rows.count
        rows.append(row)
      }
    }
  }

  /// Takes the place of all that was known before by what a scan has found.
  ///
  /// - Parameter index: What is known from earlier; what has the same look there is not read again.
  /// - Returns: What of both is in the folder no more.
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
        // The same file of another folder was moved.
        if let old = known[look] { return FolderRow(id: old.id, found: row.found, stamp: stamp, result: old.result) }
        return remembered[look].map { row.with(.success($0)) } ?? row
      })
    return gone.map(\.found.path) + forgotten.map(\.path)
  }

  /// The photos whose files are still to be read.
  var unread: [FoundPhoto] { rows.filter { $0.result == nil }.map(\.found) }

  /// What became of reading some files; what has gone meanwhile is left out.
  ///
  /// - Returns: What may be kept.
  mutating func add(_ results: [(FoundPhoto, Result<PhotoMetadata, PhotoFault>)]) -> [PhotoIndex.Entry] {
    results.compactMap { photo, result in
      guard let place = places[photo.path] else { return nil }
      rows[place].result = result
      guard let stamp = rows[place].stamp, case .success(let metadata) = result else { return nil }
      return PhotoIndex.Entry(path: photo.path, stamp: stamp, metadata: metadata)
    }
  }

  /// A file was written, or one beside it; what is no photo is left out.
  mutating func update(_ path: FilePath) {
    let name = Array(path.name)
    if PhotoName.isSidecar(name) { return updateSidecar(path) }
    if let place = places[path] {
      rows[place] = FolderRow(id: rows[place].id, found: rows[place].found, stamp: .init(of: rows[place].found))
    } else if PhotoName.isPhoto(name), name.first != UInt8(ascii: ".") {
      // It may be news of a folder that has been moved away.
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { return }
      let row = row(FoundPhoto(at: path))
      places[path] = rows.count
      rows.append(row)
    }
  }

  /// Takes a photo out, whose row goes with the next ``removeGone()``: thousands may be deleted at once.
  /// - Returns: Whether there was such a photo.
  mutating func remove(_ path: FilePath) -> Bool {
    if PhotoName.isSidecar(Array(path.name)) { updateSidecar(path) }
    guard let place = places.removeValue(forKey: path) else { return false }
    gone.insert(place)
    return true
  }

  mutating func removeGone() {
    guard !gone.isEmpty else { return }
    replace(with: rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element))
    gone = []
  }

  /// Keeps what is known of a file that has another name now.
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
    // What a file beside it said was said of the old name.
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
    // A file that comes again is the same photo.
    ids.keep(new.lazy.map(\.id))
    places = Dictionary(new.enumerated().map { ($1.found.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What a file keeps when it is moved from folder to folder.
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
