/// The keywords of a photo as one list of paths, as digiKam and others write them.
struct KeywordPaths {
  /// The keywords that no path contains.
  let loose: [String]
  /// The levels of each path.
  let paths: [[String]]

  init(_ flat: [String]?, _ hierarchical: [String]?) {
    let paths = (hierarchical ?? []).map { $0.split(separator: "|").map(String.init) }
    let levels = Set(paths.joined())
    self.paths = paths
    loose = (flat ?? []).filter { !levels.contains($0) }
  }

  private func list(_ separator: Character) -> [String] {
    paths.map { $0.joined(separator: String(separator)) } + loose
  }

  /// Returns another program's list with these keywords in place of the old ones. Entries of which the old ones know
  /// nothing stay.
  func updating(_ list: [String], from old: KeywordPaths, separator: Character) -> [String] {
    let new = self.list(separator)
    let removed = Set(old.list(separator)).subtracting(new)
    // A program that knows no paths shortens a path to its last level.
    let removedNames = Set(old.loose).subtracting(loose).subtracting(paths.joined())
    let kept = list.filter { entry in
      !removed.contains(entry) && !removedNames.contains(entry.split(separator: separator).last.map(String.init) ?? "")
    }
    let added = Set(new).subtracting(old.list(separator))
    return kept + new.filter { added.contains($0) && !kept.contains($0) }
  }
}
