extension Screen {
  /// Returns the text for a golden file: the rows of text, a map of the styles with a letter per cell, and its legend.
  public func snapshot() -> String {
    var letters: [Style: Character] = [.default: "."]
    var legend: [String] = []
    var map: [String] = []
    for row in cells {
      var line = ""
      for cell in row {
        if let letter = letters[cell.style] {
          line.append(letter)
        } else {
          let letter = Self.letter(legend.count)
          letters[cell.style] = letter
          legend.append("\(letter) = \(cell.style)")
          line.append(letter)
        }
      }
      map.append(line)
    }
    let styled = map.lastIndex { $0.contains { $0 != "." } }.map { $0 + 1 } ?? 0
    var text = framedText
    if styled > 0 {
      text += [""] + map.prefix(styled).map { "│\($0)│" } + legend
    }
    return text.joined(separator: "\n") + "\n"
  }

  /// The rows of text between borders, padded to the full width in cells.
  var framedText: [String] {
    cells.map { "│" + $0.map(\.text).joined() + "│" }
  }

  private static func letter(_ index: Int) -> Character {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    if index < letters.count { return letters[index] }
    // From U+4E00 on there are tens of thousands of assigned letters, which is more than a screen can have styles.
    return Unicode.Scalar(UInt32(0x4E00 + index - letters.count)).map(Character.init) ?? "?"
  }
}
