import Harness
import Torture

/// A generator of random input: all bound keys except q, which would end the program, clicks, the wheel, pastes and
/// resizes of the window.
struct RandomKeys {
  /// Keys that are typed without waiting for their effects, after an optional resize.
  struct Batch: CustomStringConvertible {
    var size: Size?
    var keys: [String]

    var description: String { "\(size.map { "at \($0): " } ?? "")\(keys.joined().debugDescription)" }
  }

  private var random: SplitMix

  /// Escape as a CSI u sequence, which can't be the beginning of another sequence (XTerm, "formatOtherKeys").
  static let escape = "\u{1B}[27u"
  /// The size of the largest window, and of the window in which the program is checked.
  static let (largest, usual) = (Size(columns: 130, rows: 40), Size(columns: 80, rows: 24))

  // Photos that go to the trash (d, D, Delete) would not be there for the next part.
  private static let letters = "jkhlgGvctrnNS!V*oyefFbB12345zZ[]upwx+=-_0si?EO".map(String.init)
  private static let controls = "udfbahewk".map { String(UnicodeScalar($0.asciiValue! & 0x1F)) }
  private static let others = [
    " ", "\r", "\r", "\t", "\u{7F}", escape, escape, escape, "\u{1B}[Z", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D",
    "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}OP", "\u{1B}j", "\u{1B}[1;5A", "é", "漢",
  ]
  private static let pastes = [
    "fig", "camera:x100 rating:>=4", "two words", "(((", "漢字 e\u{301}\u{302} 🏳\u{FE0F}\u{200D}🌈", "\u{9B}31m\u{7}",
    "several\nlines\n", String(repeating: "long ", count: 1000), "",
  ]

  init(seed: Int) { random = SplitMix(seed: seed) }

  /// Returns the next keys.
  /// - Parameter screen: The screen after the previous keys.
  mutating func batch(of count: Int, on screen: Screen) -> Batch {
    var keys = (0..<count).map { _ in key(on: screen.size) }
    if isSearch(on: screen) { keys[0] = "/" }
    leaveCommands(&keys, on: screen)
    return Batch(size: Int.random(in: 0..<12, using: &random) == 0 ? size() : nil, keys: keys)
  }

  /// Returns whether a batch begins with a slash, which starts a search.
  ///
  /// A slash is never typed at another place. In the name of a file it could lead out of the test's folder.
  private mutating func isSearch(on screen: Screen) -> Bool {
    let isLegible = screen.size.columns >= 30 && screen.size.rows >= 8
    // The number is drawn on every screen, so that the same seed gives the same keys after it.
    let isChosen = Int.random(in: 0..<4, using: &random) == 0
    return isChosen && isLegible && !screen.contains("as a catalog")
  }

  /// Replaces the keys and the clicks that could run the last one of the listed commands, which ends the program.
  private func leaveCommands(_ keys: inout [String], on screen: Screen) {
    if screen.contains("Type a command") { keys[0] = Self.escape }
    guard let start = keys.firstIndex(where: Self.lists.contains) else { return }
    for index in keys.indices[start...] where keys[index] == "\r" || keys[index].hasPrefix("\u{1B}[<0") {
      keys[index] = Self.escape
    }
  }

  /// The keys that list the commands.
  private static let lists: Set = ["?", "\u{1B}OP"]

  private mutating func key(on size: Size) -> String {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: pick(Self.letters)
    case 55..<88: pick(Self.others)
    case 88..<93: pick(Self.controls)
    case 93..<98: mouse(on: size)
    default: "\u{1B}[200~\(pick(Self.pastes))\u{1B}[201~"
    }
  }

  /// Returns a click, a drag or a turn of the wheel (XTerm, "Extended coordinates", SGR).
  private mutating func mouse(on size: Size) -> String {
    // The footer's last row has the key that quits.
    let row = Int.random(in: 1...max(1, size.rows - 1), using: &random)
    // The left end of the header leads to other folders.
    let column = Int.random(in: (row == 1 ? size.columns : 1)...size.columns, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "\u{1B}[<64;\(column);\(row)M"
    case 1: return "\u{1B}[<65;\(column);\(row)M"
    case 2: return "\u{1B}[<0;\(column);\(row)M\u{1B}[<32;\(row);\(row)M\u{1B}[<0;\(row);\(row)m"
    default: return "\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m"
    }
  }

  /// Returns a random size, which may be too small for the gallery.
  private mutating func size() -> Size {
    Size(
      columns: Int.random(in: 5...Self.largest.columns, using: &random),
      rows: Int.random(in: 3...Self.largest.rows, using: &random))
  }

  private mutating func pick(_ keys: [String]) -> String { keys[Int.random(in: keys.indices, using: &random)] }
}
