/// The links in a `Link` header (RFC 8288).
public enum WebLink {
  /// Returns the target of the first link with a relation such as `next`: a URI reference, as the header spells it.
  public static func target(of relation: String, in header: String) -> String? {
    var rest = header[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let target = rest[rest.index(after: start)..<end]
      let parameters = takeParameters(from: &rest, after: end)
      let relations = parameters.first { $0.name == "rel" }?.value.lowercased().split(whereSeparator: \.isWhitespace)
      // A link with an anchor starts from something else than the requested address.
      if relations?.contains(Substring(relation)) == true, !parameters.contains(where: { $0.name == "anchor" }) {
        return String(target)
      }
    }
    return nil
  }

  /// Takes the parameters of one link, up to the comma after it.
  private static func takeParameters(
    from rest: inout Substring, after end: Substring.Index
  ) -> [(name: String, value: String)] {
    var pieces = [""]
    var isQuoted = false
    var isEscaped = false
    rest = rest[rest.index(after: end)...]
    while let character = rest.popFirst() {
      if isEscaped {
        pieces[pieces.count - 1].append(character)
        isEscaped = false
      } else if isQuoted && character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted && character == "," {
        break
      } else if !isQuoted && character == ";" {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    return pieces.map { piece in
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts.map { $0.drop(while: \.isWhitespace) }
      return (
        String((words.first ?? "").prefix { !$0.isWhitespace }).lowercased(), String(words.dropFirst().first ?? "")
      )
    }
  }
}
