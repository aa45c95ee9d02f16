import Gallery
import Photos

// The order in which a walk finds rows.
extension FolderRow {
  /// The path of the folder, which ends with a slash.
  var folder: ArraySlice<UInt8> { found.path.bytes.dropLast(found.path.name.count) }

  /// Returns whether a walk finds the row's file before another file of the folder.
  func precedes(_ other: FolderRow) -> Bool {
    let saysNothing = PhotoName.saysNothing(found.path.name)
    if saysNothing != PhotoName.saysNothing(other.found.path.name) { return !saysNothing }
    return found.path.name.lexicographicallyPrecedes(other.found.path.name)
  }

  /// Returns whether a walk finds the row's folder before that of another row: a folder comes before those in it.
  func folderPrecedes(_ other: FolderRow) -> Bool {
    func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
    return folder.lexicographicallyPrecedes(other.folder) { rank($0) < rank($1) }
  }
}

extension FolderRows {
  /// Returns rows together with those of folders that had none.
  static func merged(_ rows: [FolderRow], _ folders: [[FolderRow]]) -> [FolderRow] {
    var all: [[FolderRow]] = []
    for row in rows {
      if all.last?[0].folder == row.folder { all[all.count - 1].append(row) } else { all.append([row]) }
    }
    for folder in folders.sorted(by: { $0[0].folderPrecedes($1[0]) }) {
      all.insert(folder, at: place(of: folder[0], among: all))
    }
    return Array(all.joined())
  }

  /// Returns the place of a new folder: before the first later one that is in the same folder, or behind all of these. Folders
  /// that are together in no other one, as those that the user has named, have an order of their own.
  private static func place(of row: FolderRow, among folders: [[FolderRow]]) -> Int {
    var around = row.folder
    while let slash = around.dropLast().lastIndex(of: UInt8(ascii: "/")) {
      around = around[...slash]
      let inside = folders.indices.filter { folders[$0][0].folder.starts(with: around) }
      if let last = inside.last { return inside.first { row.folderPrecedes(folders[$0][0]) } ?? last + 1 }
    }
    return folders.endIndex
  }
}
