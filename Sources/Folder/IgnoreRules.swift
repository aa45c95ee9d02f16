/// What the `.tintypeignore` files of a folder and of those above it leave out.
///
/// A part of gitignore's language. A line is a pattern; an empty one, or one that begins with `#`, says nothing. `*`
/// stands for any characters but a slash, `**` for any at all, `?` for one but a slash. A slash at the end means
/// folders alone. A pattern with another slash is matched with the whole path from its file's folder on, one without
/// with the name, in this folder and all below. `!` before a pattern takes back what another left out. Of several that
/// match, the last counts, and one of a deeper folder before all above it. What is inside a folder that is left out
/// cannot be taken back. A backslash takes the meaning from the next character.
struct IgnoreRules: Sendable {
  private struct Rule: Sendable {
    var pattern: [Glob]
    var isForFolders = false
    var isForNames = true
    var takesBack = false
    /// The length of the path of the folder whose file has the rule, with the slash behind it.
    var base: Int
  }

  private enum Glob: Hashable {
    case byte(UInt8)
    case one, many, all
  }

  private var rules: [Rule] = []

  /// No line more is read.
  private static let mostRules = 10_000

  var isEmpty: Bool { rules.isEmpty }

  /// These rules and those of a file in a folder below.
  ///
  /// - Parameter base: The length of that folder's path, with the slash behind it.
  func adding(_ file: some Collection<UInt8>, base: Int) -> IgnoreRules {
    var all = self
    for line in file.split(separator: UInt8(ascii: "\n")).prefix(Self.mostRules) {
      if let rule = Self.rule(Array(line), base: base) { all.rules.append(rule) }
    }
    return all
  }

  /// Whether the file or folder of this path is left out.
  func leavesOut(_ path: [UInt8], isFolder: Bool) -> Bool {
    guard !rules.isEmpty else { return false }
    let name = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let match = rules.last { rule in
      (isFolder || !rule.isForFolders) && Self.matches(path[(rule.isForNames ? name : rule.base)...], rule.pattern)
    }
    return match.map { !$0.takesBack } ?? false
  }

  private static func rule(_ line: [UInt8], base: Int) -> Rule? {
    var line = line[...]
    while let last = line.last, [0x20, 0x0D].contains(last) { line.removeLast() }
    guard line.first != UInt8(ascii: "#") else { return nil }
    var rule = Rule(pattern: [], base: base)
    if line.first == UInt8(ascii: "!") {
      rule.takesBack = true
      line.removeFirst()
    }
    if line.last == UInt8(ascii: "/") {
      rule.isForFolders = true
      line.removeLast()
    }
    rule.isForNames = !line.contains(UInt8(ascii: "/"))
    if line.first == UInt8(ascii: "/") { line.removeFirst() }
    rule.pattern = pattern(line)
    return rule.pattern.isEmpty ? nil : rule
  }

  private static func pattern(_ line: ArraySlice<UInt8>) -> [Glob] {
    var (pattern, rest): ([Glob], ArraySlice<UInt8>) = ([], line)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*") where rest.first == UInt8(ascii: "*"):
        rest.removeFirst()
        // `**/` stands for no folder, too.
        if rest.first == UInt8(ascii: "/"), pattern.isEmpty || pattern.last == .byte(UInt8(ascii: "/")) {
          rest.removeFirst()
        }
        pattern.append(.all)
      case UInt8(ascii: "*"): pattern.append(.many)
      case UInt8(ascii: "?"): pattern.append(.one)
      case UInt8(ascii: "\\"): pattern.append(.byte(rest.popFirst() ?? byte))
      default: pattern.append(.byte(byte))
      }
    }
    return pattern
  }

  /// Goes back to the last `*`, and from there to the last `**`, and no further: what a later one can take, an earlier
  /// one need not. So no pattern takes longer than the squares of the lengths.
  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: [Glob]) -> Bool {
    var (at, index) = (text.startIndex, 0)
    var (many, all): ((at: Int, index: Int)?, (at: Int, index: Int)?)
    while true {
      if index < pattern.count {
        switch pattern[index] {
        case .all:
          (all, many) = ((at, index + 1), nil)
          index += 1
          continue
        case .many:
          many = (at, index + 1)
          index += 1
          continue
        case .one where at < text.endIndex && text[at] != UInt8(ascii: "/"):
          (at, index) = (at + 1, index + 1)
          continue
        case .byte(let byte) where at < text.endIndex && text[at] == byte:
          (at, index) = (at + 1, index + 1)
          continue
        case .one, .byte: break
        }
      } else if at == text.endIndex {
        return true
      }
      if let last = many, last.at < text.endIndex, text[last.at] != UInt8(ascii: "/") {
        many = (last.at + 1, last.index)
        (at, index) = (last.at + 1, last.index)
      } else if let last = all, last.at < text.endIndex {
        (all, many) = ((last.at + 1, last.index), nil)
        (at, index) = (last.at + 1, last.index)
      } else {
        return false
      }
    }
  }
}
