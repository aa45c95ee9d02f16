import Foundation
import Gallery
import Terminal

/// The promises of `printable`, which makes text from outside safe to print, and of `CellText`, which measures text.
struct TextPromises {
  private let text: String
  /// The place at which the text is cut, in scalars, and the width of a line, in cells.
  private let place: Int

  init(_ input: [UInt8]) {
    // The C library's character widths depend on the encoding of the locale.
    setlocale(LC_CTYPE, "C.UTF-8")
    var choices = InputChoices(input)
    place = Int(choices.byte())
    text = String(decoding: choices.rest, as: UTF8.self)
  }

  func check() throws {
    let (line, lines) = (text.printable, text.printableLines)
    try promise(line.isHarmless, "no control is printable")
    try promise(lines.split(separator: "\n").allSatisfy { String($0).isHarmless }, "no control but line breaks is left")
    try promise(line.printable.isSame(as: line), "a printable text stays unchanged")
    try promise(lines.printableLines.isSame(as: lines), "printable lines stay unchanged")
    try promise(lines.replacing("\n", with: " ").isSame(as: line), "lines differ from the text only by their breaks")
    try promise(line.utf8.count <= 3 * text.utf8.count, "a byte becomes at most three")
    try checkParts()
    try checkCells(line)
  }

  /// Checks that the text before a letter does not affect how the rest is printed.
  private func checkParts() throws {
    let scalars = text.unicodeScalars
    let letter = scalars.dropFirst(place).firstIndex { ("!"..."~").contains($0) } ?? scalars.endIndex
    let parts = [scalars[..<letter], scalars[letter...]].map { String($0).printable.unicodeScalars }
    try promise(Array(parts.joined()) == Array(text.printable.unicodeScalars), "a text consists of its parts")
  }

  private func checkCells(_ line: String) throws {
    for charset in [Charset.unicode, .ascii] {
      let cells = CellText(line, charset: charset)
      try promise(cells.width == cells.clusters.reduce(0) { $0 + $1.width }, "a text is as wide as its clusters")
      try promise(cells.clusters.allSatisfy { (1...2).contains($0.width) }, "a cluster takes one cell or two")
      let scalars = cells.clusters.flatMap(\.scalars)
      try promise(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "no cell is a control")
      try promise(CellText(line, truncatedTo: place, charset: charset).width <= place, "a truncated text fits")
      try promise(cells.wrapped(to: place).allSatisfy { $0.width <= place }, "each line fits")
    }
  }
}

extension String {
  /// Whether the text has none of the Unicode Standard's control characters: C0, C1, breaks, directions, and tags.
  var isHarmless: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
        0xFFF9...0xFFFB, 0xE0000...0xE007F:
        false
      default: true
      }
    }
  }

  /// Whether both texts have the same scalars. Texts that are equal may have different ones.
  func isSame(as other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }
}
