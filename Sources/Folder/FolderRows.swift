import Foundation
import Gallery
import Photos
import Store

/// The rows of a folder, and the rules by which they change. No file is opened; only its size and times are read.
package struct FolderRows: Sendable {
  package private(set) var rows: [FolderRow] = []
  /// The photos of the rows.
  private var table: FolderTable
  private let parts: PhotoParts?
  /// The groups of the photos, or nil if they are not known since rows were added, removed or renamed.
  private var knownGroups: PhotoGroups?
  /// The index of each photo's row, or nil until it is needed.
  private var knownPlaces: [FilePath: Int]?
  /// The indices of removed rows that are still in the list.
  private var gone: Set<Int> = []
  /// The paths of added and renamed rows that may not be in their places.
  private var arrivals: Set<FilePath> = []
  /// The source of ids. They are made from paths, so that a photo has the same id when the folder is opened again.
  private var ids = PhotoIDs()

  /// - Parameters:
  ///   - root: The folder from which paths are shown.
  ///   - parts: The rules by which several files are one photo, or nil if there are none.
  ///   - location: The locations of the images by their paths; nil if they are files of this machine.
  package init(
    root: FilePath, parts: PhotoParts? = nil, location: FolderTable.Location? = nil
  ) {
    table = FolderTable(root: root, location: location)
    self.parts = parts
  }

  /// The progress of one pass through the folder.
  package struct Scan {
    /// Whether there were no rows before, so that photos are shown as soon as they are found.
    fileprivate let isFirst: Bool
    /// The photos that have been found, or nil if none can be found twice.
    fileprivate var seen: Set<FilePath>?
    /// The rows, unless this is the first scan.
    fileprivate var rows: [FolderRow] = []
    /// The files of each folder that are photos if their contents are, with the number of rows before them.
    fileprivate(set) var unclear: [(place: Int, files: FoundPhotos)] = []
  }

  /// A photo that has been found, with what the system says about its files.
  package struct Found: Sendable {
    let photo: FoundPhoto
    let stamp: PhotoIndex.Stamp?

    init(_ photo: FoundPhoto) {
      self.photo = photo
      stamp = PhotoIndex.Stamp(of: photo)
    }

    /// Creates a photo on another machine.
    package init(_ photo: FoundPhoto, _ stamp: PhotoIndex.Stamp) {
      self.photo = photo
      self.stamp = stamp
    }
  }

  /// Brings the rows into the order of a walk: each folder before those in it, and both in the order of their names.
  package mutating func sort() {
    replace(
      with: rows.sorted { one, other in
        one.folder.elementsEqual(other.folder)
          ? one.precedes(other) : one.folderPrecedes(other)
      })
  }

  /// Starts a pass through the folder.
  /// - Parameter findsTwice: Whether a photo may be found twice: the user may have named it and its folder.
  package func startScan(findsTwice: Bool) -> Scan { Scan(isFirst: rows.isEmpty, seen: findsTwice ? [] : nil) }

  /// Adds found photos to a scan, and to the rows if it is the first scan.
  package mutating func add(_ found: [Found], to scan: inout Scan) {
    for found in found where scan.seen?.insert(found.photo.path).inserted ?? true {
      if scan.isFirst {
        append(FolderRow(id: ids.id(found.photo.path.bytes), found: found.photo, stamp: found.stamp))
      } else {
        scan.rows.append(row(found))
      }
    }
  }

  /// Adds the files of a folder that are photos if their contents are. Their place is behind the folder's other photos.
  mutating func add(unclear files: FoundPhotos, to scan: inout Scan) {
    guard !files.isEmpty else { return }
    // Those that have a row keep it.
    if !scan.isFirst { for file in files where places[file.path] != nil { add([Found(file)], to: &scan) } }
    scan.unclear.append((scan.isFirst ? rows.count : scan.rows.count, files))
  }

  /// Inserts rows for files that turned out to be photos. The rows must be those of the finished scan.
  ///
  /// - Parameters:
  ///   - found: The files, each with the number of rows of the scan before it, in ascending order.
  ///   - index: The metadata from earlier sessions.
  mutating func insert(_ found: [(place: Int, file: Found)], index: PhotoIndex.Entries) {
    var (new, next, seen): ([FolderRow], Int, Set<FilePath>) = ([], 0, [])
    new.reserveCapacity(rows.count + found.count)
    for (place, file) in found where places[file.photo.path] == nil && seen.insert(file.photo.path).inserted {
      new += rows[next..<place]
      next = place
      var row = row(file)
      if let entry = index[file.photo.path], entry.stamp == row.stamp { row.result = .success(entry.metadata) }
      new.append(row)
    }
    if !seen.isEmpty { replace(with: new + rows[next...]) }
  }

  /// Replaces the rows with the result of a scan.
  ///
  /// - Parameter index: The metadata from earlier sessions. A file is not read again if its stamp has not changed.
  /// - Returns: The paths from the rows and the index that are no longer in the folder.
  package mutating func finish(_ scan: Scan, index: PhotoIndex.Entries) -> [FilePath] {
    if scan.isFirst, index.isEmpty { return [] }
    var new = scan.isFirst ? rows : withoutLeft(scan.rows)
    // Two arrays of a hundred thousand rows would take 8 MB more.
    if scan.isFirst { rows = [] }
    var (isForgotten, next) = (Array(repeating: true, count: index.count), 0)
    for (place, row) in new.enumerated() {
      guard let position = index.position(of: row.found.path, likely: next) else { continue }
      isForgotten[position] = false
      next = position + 1
      guard row.result == nil, let stamp = row.stamp, index.stamp(at: position) == stamp else { continue }
      new[place].result = .success(index.metadata(at: position))
    }
    // Files whose names say nothing have no rows yet.
    let forgotten = index.indices.filter { isForgotten[$0] }.map { index[$0] }
      .filter { !PhotoName.saysNothing($0.path.name) }
    let gone = scan.isFirst ? [] : left(by: new)
    let known = Dictionary(
      gone.compactMap { row in row.look.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
    let remembered = Dictionary(forgotten.map { ($0.look, $0.metadata) }, uniquingKeysWith: { first, _ in first })
    for (place, row) in new.enumerated() where row.result == nil {
      // The file may have been moved here from another folder.
      guard !(known.isEmpty && remembered.isEmpty), let stamp = row.stamp, let look = row.look else { continue }
      if let old = known[look] {
        new[place] = FolderRow(id: old.id, found: row.found, stamp: stamp, result: old.lastingResult)
      } else if let metadata = remembered[look] {
        new[place].result = .success(metadata)
      }
    }
    replace(with: new)
    return gone.map(\.found.path) + forgotten.map(\.path)
  }

  /// Returns the rows whose files have no new ones.
  private func left(by new: [FolderRow]) -> [FolderRow] {
    let seen = Set(new.lazy.map(\.found.path))
    return rows.filter { !seen.contains($0.found.path) }
  }

  /// Returns the rows of a scan without those of files that moved during it, and were found at both of their places.
  private mutating func withoutLeft(_ found: [FolderRow]) -> [FolderRow] {
    let arrivals = Set(found.filter { places[$0.found.path] == nil }.compactMap(\.look))
    if arrivals.isEmpty { return found }
    return found.filter { row in
      let isOld = places[row.found.path] != nil && row.look.map(arrivals.contains) == true
      return !isOld || row.found.path.isThere
    }
  }

  /// The photos whose files have to be read, with the indices of their rows.
  package var unread: [(place: Int, photo: FoundPhoto)] {
    rows.indices.filter { rows[$0].isUnread }.map { ($0, rows[$0].found) }
  }

  /// Adds the results of reading files. No row may have been removed since their indices were returned.
  ///
  /// - Returns: The entries for the index.
  package mutating func add(_ results: [(place: Int, Result<MetadataRecord, PhotoFault>)]) -> [PhotoIndex.Entry] {
    results.compactMap { place, result in
      rows[place].result = result
      rows[place].isOutdated = false
      table.change(row: place)
      guard let stamp = rows[place].stamp, case .success(let metadata) = result else { return nil }
      return PhotoIndex.Entry(path: rows[place].found.path, stamp: stamp, metadata: metadata)
    }
  }

  /// Returns whether a file has a row.
  mutating func contains(_ path: FilePath) -> Bool { places[path] != nil }

  /// Updates the rows after a file or a sidecar was written.
  /// - Parameter isShown: Whether the file is a photo, or a video that may belong to one. Others are ignored.
  mutating func update(_ path: FilePath, isShown: Bool) {
    if PhotoName.isSidecar(path.name) { return updateSidecar(path) }
    if let place = places[path] {
      setFound(rows[place].found, at: place)
    } else if isShown {
      // The change may belong to a folder that has been moved away.
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { return }
      append(row(Found(FoundPhoto(at: path))))
      arrivals.insert(path)
    }
  }

  /// Updates those of the first rows whose files were written before anyone watched them.
  mutating func lookAgain(atFirst count: Int) {
    for place in rows.indices.prefix(count) where PhotoIndex.Stamp(of: rows[place].found) != rows[place].stamp {
      setFound(rows[place].found, at: place)
    }
  }

  /// Removes a photo. Its row stays until the next ``tidy()``, because thousands may be deleted at once.
  ///
  /// - Returns: Whether there was such a photo.
  mutating func remove(_ path: FilePath) -> Bool {
    if PhotoName.isSidecar(path.name) { updateSidecar(path) }
    guard let place = places.removeValue(forKey: path) else { return false }
    gone.insert(place)
    return true
  }

  /// Takes the rows of removed photos out of the list, and those of added and renamed ones to their places.
  mutating func tidy() {
    if !gone.isEmpty { replace(with: rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element)) }
    gone = []
    let sorted = withSortedArrivals()
    // While a camera writes one photo after the other, each is at its place already.
    if !zip(sorted, rows).allSatisfy({ $0.id == $1.id }) { replace(with: sorted) }
    arrivals = []
  }

  /// Returns the rows with the arrivals where a walk would find them.
  private func withSortedArrivals() -> [FolderRow] {
    let new = rows.filter { arrivals.contains($0.found.path) }
    guard !new.isEmpty else { return rows }
    var waiting = Dictionary(grouping: new, by: \.folder).mapValues { $0.sorted { $0.precedes($1) }[...] }
    var sorted: [FolderRow] = []
    sorted.reserveCapacity(rows.count)
    var folder: ArraySlice<UInt8>?
    for row in rows where !arrivals.contains(row.found.path) {
      if let folder, folder != row.folder { sorted += waiting.removeValue(forKey: folder) ?? [] }
      folder = row.folder
      guard let here = waiting[row.folder] else {
        sorted.append(row)
        continue
      }
      let before = here.prefix { $0.precedes(row) }
      sorted += before
      sorted.append(row)
      if !before.isEmpty { waiting[row.folder] = here.dropFirst(before.count) }
    }
    if let folder { sorted += waiting.removeValue(forKey: folder) ?? [] }
    return waiting.isEmpty ? sorted : Self.merged(sorted, waiting.values.map(Array.init))
  }

  /// Moves the row of a file that has been renamed, with its metadata.
  /// - Parameter isShown: As for ``update(_:isShown:)``, under the new name.
  mutating func move(_ old: FilePath, to new: FilePath, isShown: Bool) {
    guard let place = places[old], places[new] == nil, isShown else {
      _ = remove(old)
      return update(new, isShown: isShown)
    }
    places[old] = nil
    places[new] = place
    knownGroups = nil
    let row = rows[place]
    setFound(FoundPhoto(at: new), at: place)
    // The metadata from a sidecar belonged to the old name.
    let isSame = row.found.sidecar == nil && rows[place].stamp == row.stamp && !row.isOutdated
    rows[place].result = isSame ? row.lastingResult : nil
    rows[place].isOutdated = false
    arrivals.insert(new)
  }

  /// Returns a snapshot of the photos, and the problems with their files. Its progress is that of reading the files.
  package mutating func snapshot() async -> PhotoSnapshot {
    await table.pack(rows)
    var snapshot = PhotoSnapshot(photos: table.photos)
    if let parts {
      let groups = knownGroups ?? parts.groups(of: snapshot.photos)
      knownGroups = groups
      snapshot.groups = groups
    }
    for problem in table.problems { snapshot.problems.append(problem) }
    snapshot.progress = PhotoSnapshot.Progress(done: table.readCount, total: rows.count, unit: .photos)
    return snapshot
  }

  private mutating func updateSidecar(_ path: FilePath) {
    let base = path.bytes.dropLast(".xmp".utf8.count)
    // After ratings of many photos, `a.jpg.xmp` comes for each.
    if let place = places[FilePath(Array(base))] {
      setFound(FoundPhoto(at: rows[place].found.path), at: place)
      return
    }
    // Any photo with this name before its suffix may have the sidecar `a.xmp`.
    for (place, row) in rows.enumerated() where row.found.path.bytes.starts(with: base) {
      let suffix = row.found.path.bytes.dropFirst(base.count)
      guard suffix.first == UInt8(ascii: "."), !suffix.dropFirst().contains(where: { $0 == 0x2E || $0 == 0x2F })
      else { continue }
      setFound(FoundPhoto(at: row.found.path), at: place)
    }
  }
}

// The rows and what follows from them.
extension FolderRows {
  private var places: [FilePath: Int] {
    mutating get {
      if let knownPlaces { return knownPlaces }
      let places = Dictionary(rows.enumerated().map { ($1.found.path, $0) }, uniquingKeysWith: { first, _ in first })
      knownPlaces = places
      return places
    }
    _modify {
      if knownPlaces == nil { _ = places }
      var places = knownPlaces ?? [:]
      knownPlaces = nil
      defer { knownPlaces = places }
      yield &places
    }
  }

  private mutating func append(_ row: FolderRow) {
    knownPlaces?[row.found.path] = rows.count
    knownGroups = nil
    table.change(row: rows.count)
    rows.append(row)
  }

  /// Takes note that a row's file has to be read again.
  private mutating func setFound(_ found: FoundPhoto, at place: Int) {
    rows[place] = FolderRow(
      id: rows[place].id, found: found, stamp: PhotoIndex.Stamp(of: found), result: rows[place].result,
      isOutdated: true)
    table.change(row: place)
  }

  private mutating func row(_ found: Found) -> FolderRow {
    if let place = places[found.photo.path] {
      let old = rows[place]
      let isSame = found.stamp != nil && old.stamp == found.stamp && !old.isOutdated
      return FolderRow(id: old.id, found: found.photo, stamp: found.stamp, result: isSame ? old.lastingResult : nil)
    }
    return FolderRow(id: ids.id(found.photo.path.bytes), found: found.photo, stamp: found.stamp)
  }

  private mutating func replace(with new: [FolderRow]) {
    rows = new
    // Released ids are given to the same paths again, so a file that returns is the same photo.
    ids.keep(new.lazy.map(\.id))
    knownPlaces = nil
    knownGroups = nil
    table.changeAll()
  }
}

/// The properties that a file keeps when it is moved to another folder.
private struct Look: Hashable {
  let name: ArraySlice<UInt8>
  let stamp: PhotoIndex.Stamp
}

extension FolderRow {
  fileprivate var look: Look? { stamp.map { Look(name: found.path.name, stamp: $0) } }
}

extension PhotoIndex.Entry {
  fileprivate var look: Look { Look(name: path.name, stamp: stamp) }
}
