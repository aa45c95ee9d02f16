/// The rules in the `.tintypeignore` files of a folder and of the folders above it.
///
/// The syntax is a part of gitignore's:
/// - Each line is a pattern. Empty lines and lines that begin with `#` are ignored.
/// - `*` matches any characters except a slash, `**` any characters at all, and `?` one character except a slash.
/// - A backslash removes the meaning of the next character.
/// - A pattern with a slash at its end matches only folders.
/// - A pattern with a slash elsewhere is compared with the path from its file's folder on. Any other pattern is
/// compared with the names in that folder and all folders below.
/// - A `!` before a pattern takes back what another pattern left out, but not within a folder that is left out.
/// - The last pattern that matches counts. Patterns of a deeper folder come after those of the folders above it.
struct IgnoreRules: Sendable {
  private struct Rule: Sendable {
    var pattern: [Glob]
    var isForFolders = false
    var isForNames = true
    /// Whether the rule takes back what another one leaves out.
    var takesBack = false
    /// The length of the path of the rule's folder, with the slash at its end.
    var base: Int
  }

  private enum Glob: Hashable {
    case byte(UInt8)
    case one, many, all
  }

  private var rules: [Rule] = []

  /// The most lines of a file that are read.
  private static let mostRules = 10_000

  /// Whether there are no rules.
  var isEmpty: Bool { rules.isEmpty }

  /// Returns these rules followed by those of a file in a deeper folder.
  ///
  /// - Parameter base: The length of that folder's path, with the slash at its end.
  func adding(_ file: some Collection<UInt8>, base: Int) -> IgnoreRules {
    var all = self
    for line in file.split(separator: UInt8(ascii: "\n")).prefix(Self.mostRules) {
      if let rule = Self.rule(Array(line), base: base) { all.rules.append(rule) }
    }
    return all
  }

  /// Returns whether the rules leave out a file or a folder.
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
        // `**/` also matches no folder at all.
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

  /// Returns whether a pattern matches a text.
  ///
  /// After a mismatch, the search continues at the last `*`, then at the last `**`, but not at earlier ones, because a
  /// later star can match everything that an earlier one can. This limits the time to the squares of the lengths.
  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: [Glob]) -> Bool {
    var (at, index) = (text.startIndex, 0)
    var (many, all): ((at: Int, index: Int)?, (at: Int, index: Int)?)
    while true {
      if index < pattern.count {
        switch pattern[index] {
        case .all:
          all = (at, index + 1)
          many = nil
          index += 1
          continue
        case .many:
          many = (at, index + 1)
          index += 1
          continue
        case .one where at < text.endIndex && text[at] != UInt8(ascii: "/"):
          at = at + 1
          index = index + 1
          continue
        case .byte(let byte) where at < text.endIndex && text[at] == byte:
          at = at + 1
          index = index + 1
          continue
        case .one, .byte: break
        }
      } else if at == text.endIndex {
        return true
      }
      if let last = many, last.at < text.endIndex, text[last.at] != UInt8(ascii: "/") {
        many = (last.at + 1, last.index)
        at = last.at + 1
        index = last.index
      } else if let last = all, last.at < text.endIndex {
        all = (last.at + 1, last.index)
        many = nil
        at = last.at + 1
        index = last.index
      } else {
        return false
      }
    }
  }
}
