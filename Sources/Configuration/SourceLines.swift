/// Finds the line of a key in the text of a TOML document, which TOMLKit tells only of syntax errors.
struct SourceLines {
  /// The lines by the paths of their keys. The tables of an array have their numbers, counted from 0, as part of the path.
  private var lines: [[String]: Int] = [:]

  /// - Parameter text: The text of a valid document.
  init(_ text: String) {
    var (table, counts): ([String], [[String]: Int]) = ([], [:])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var rest = line.drop(while: \.isWhitespace)
      if rest.hasPrefix("[[") {
        rest = rest.dropFirst(2)
        let path = Self.path(&rest)
        table = path + ["\(counts[path, default: 0])"]
        counts[path, default: 0] += 1
      } else if rest.hasPrefix("[") {
        rest = rest.dropFirst()
        table = Self.path(&rest)
      } else {
        let path = Self.path(&rest)
        guard !path.isEmpty, rest.first == "=" else { continue }
        lines[table + path] = lines[table + path] ?? index + 1
        continue
      }
      lines[table] = lines[table] ?? index + 1
    }
  }

  /// Returns the line of a key, or the first line of a table that is written by the keys in it, such as `keys.mark.x = 1`, or
  /// else that of the nearest table around it, counted from 1.
  func line(of path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] ?? lines.filter({ $0.key.starts(with: path) }).values.min() { return line }
      path.removeLast()
    }
    return nil
  }

  /// Reads a bare, quoted or dotted key, and what is blank after it.
  static func path(_ rest: inout Substring) -> [String] {
    var path: [String] = []
    repeat {
      rest = rest.drop(while: \.isWhitespace)
      let name: Substring
      if let quote = rest.first, quote == "\"" || quote == "'" {
        name = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(name.count + 2)
      } else {
        name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        rest = rest.dropFirst(name.count)
        if name.isEmpty { return path }
      }
      path.append(String(name))
      rest = rest.drop(while: \.isWhitespace)
    } while rest.first == "." && rest.popFirst() != nil
    return path
  }
}
