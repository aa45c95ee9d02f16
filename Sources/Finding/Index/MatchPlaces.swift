extension PhotoQuery {
  /// Returns the ranges of a text that match the query's words, as ``WordSearch/ranges(in:)`` does.
  ///
  /// - Parameter field: The field that the text belongs to.
  public func ranges(in text: String, of field: SearchedText) -> [Range<String.Index>] {
    let patterns = terms.flatMap { term -> [WordPattern] in
      guard case .words(let words, let searched, _) = term.test, !term.isNegated, field.isSearched(by: searched) else {
        return []
      }
      return words
    }
    return WordSearch(patterns).ranges(in: text)
  }
}

extension WordSearch {
  /// Returns the ranges of a text that match, so that a view can emphasize them.
  ///
  /// Each word contributes the places where it matches best. Nothing is cached, so call this only for texts on the
  /// screen.
  public func ranges(in text: String) -> [Range<String.Index>] {
    if patterns.isEmpty { return [] }
    let words = LocatedWord.words(of: text)
    let places = Set(patterns.flatMap { LocatedWord.places(of: $0, in: words) })
    return text.indices.filter(places.contains).reduce(into: []) { ranges, index in
      let end = text.index(after: index)
      if ranges.last?.upperBound == index {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<end
      } else {
        ranges.append(index..<end)
      }
    }
  }
}

/// A folded word, with the index of the character that each of its bytes comes from.
private struct LocatedWord {
  var bytes: [UInt8] = []
  var characters: [String.Index] = []

  /// Returns the words of a text, cut in the same way as by ``Folding/forEachWord(of:_:)``.
  static func words(of text: String) -> [LocatedWord] {
    var words = [LocatedWord()]
    for index in text.indices {
      var character = String(text[index])
      character.withUTF8 { utf8 in
        Folding.fold(utf8) { byte in
          if byte == 0 { return words.append(LocatedWord()) }
          words[words.count - 1].bytes.append(byte)
          words[words.count - 1].characters.append(index)
        }
      }
    }
    return words.map(\.withoutSigns)
  }

  /// Returns the indices of the characters that belong to the best matches.
  static func places(of pattern: WordPattern, in words: [LocatedWord]) -> [String.Index] {
    let matches = words.compactMap { word in
      pattern.places(in: word.bytes).map { (match: $0.match, characters: $0.places.map { word.characters[$0] }) }
    }
    guard let best = matches.map(\.match).max() else { return [] }
    return matches.filter { $0.match == best }.flatMap(\.characters)
  }

  private var withoutSigns: LocatedWord {
    let range = bytes.withUnsafeBufferPointer(\.withoutSigns)
    return LocatedWord(bytes: Array(bytes[range]), characters: Array(characters[range]))
  }
}
