// How other programs write ratings, labels and keywords.

/// The stars in percent.
enum Ratings {
  /// The percentages of 0 to 5 stars, as Windows and digiKam write them.
  static let percent = [0, 1, 25, 50, 75, 99]

  /// Returns the stars of a percentage, or nil if it is invalid.
  static func stars(percent: Int) -> Int? {
    (0...100).contains(percent) ? self.percent.lastIndex { $0 <= percent } : nil
  }
}

/// The names of labels, in the order of other programs' numbers. Lightroom and Bridge call them so in English.
enum Labels {
  static let darktable = ["Red", "Yellow", "Green", "Blue", "Purple"]
  /// digiKam's magenta is the others' purple. 0 means no label.
  static let digiKam = ["", "Red", "Orange", "Yellow", "Green", "Blue", "Purple", "Gray", "Black", "White"]
}

/// The keywords of a photo as one list of paths, as digiKam and others write them.
struct KeywordPaths {
  /// The keywords that no path contains.
  let loose: [String]
  /// The levels of each path.
  let paths: [[String]]

  init(_ flat: [String]?, _ hierarchical: [String]?) {
    let paths = (hierarchical ?? []).map { $0.split(separator: "|").map(String.init) }
    let levels = Set(paths.joined())
    (self.paths, loose) = (paths, (flat ?? []).filter { !levels.contains($0) })
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
