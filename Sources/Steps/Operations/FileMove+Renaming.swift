import Gallery
import Photos
import Sidecars

extension FileMove {
  /// The beginning of temporary names, with which photos make room for others.
  static let temporaryStem = ".tintype-"

  /// Returns the moves that give the files of a photo and their sidecars another stem: the part of the names that they share,
  /// before the first suffix.
  static func renames(of files: [FilePath], to stem: String) throws(RenameFault) -> [FileMove] {
    let isHidden = stem.first == "." && !stem.hasPrefix(temporaryStem)
    if stem.isEmpty || stem.contains("/") || stem.utf8.contains(0) || isHidden { throw .invalid }
    let present = files.filter(\.isThere)
    if present.isEmpty { throw .gone }
    let all = present + SidecarNaming.sidecars(ofPhotoIn: present)
    let old = stemLength(of: all)
    let moves = all.map { file in
      FileMove(source: file, target: file.folder.appending(Array(stem.utf8) + Array(file.name.dropFirst(old))))
    }
    for move in moves { try NameRules(isWindows: false).check(move.target) }
    return moves
  }

  /// Returns the length of the stem that the names of a photo's files share, in bytes. It ends at the first dot of a suffix.
  static func stemLength(of files: [FilePath]) -> Int {
    files.map { PhotoName.stem(FilePath(Array($0.name))).bytes.count }.min() ?? 0
  }
}
