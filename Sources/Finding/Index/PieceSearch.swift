import FoundationEssentials
import Gallery
import Photos

/// A search through some photos of a table.
struct PieceSearch {
  let index: PieceIndex
  let table: PhotoTable
  /// The photos of the sets that the query asks for.
  let sets: PhotoSets

  /// Returns the score of each photo, which is higher for better matches and 0 for photos that do not match.
  ///
  /// - Parameter known: The scores for a query that this query narrows. Photos with a score of 0 do not match. Photos
  ///   beyond the end of the list may match.
  func scores(of query: PhotoQuery, among known: [UInt16]?) -> [UInt16] {
    var scores = [UInt16](repeating: 1, count: index.range.count)
    for row in index.hiddenRows { scores[row] = 0 }
    if let known { scores.withUnsafeMutableBufferPointer { $0.keep(known) } }
    // Cheap tests come first: if no photo passes them, no words are compared.
    for term in query.terms.sorted(by: { !$0.test.isWords && $1.test.isWords }) {
      guard scores.contains(where: { $0 > 0 }) else { break }
      apply(term, to: &scores)
    }
    return scores
  }

  private func apply(_ term: PhotoQuery.Term, to scores: inout [UInt16]) {
    switch term.test {
    case .words(let words, let field, let period) where term.isNegated:
      let marks = words.map { self.marks(of: $0, in: field, orIn: period, from: .inside, among: scores) }
      for row in scores.indices where marks.allSatisfy({ $0[row] > 0 }) { scores[row] = 0 }
    case .words(let words, let field, let period):
      for word in words {
        marks(of: word, in: field, orIn: period, from: .scattered, among: scores).withUnsafeBufferPointer { marks in
          scores.withUnsafeMutableBufferPointer { $0.add(marks) }
        }
      }
    default:
      let passes = passes(term.test)
      for row in scores.indices where scores[row] > 0 && passes(row) == term.isNegated { scores[row] = 0 }
    }
  }

  /// Returns the mark of each photo, which may be missing if the photo's score is 0.
  private func marks(
    of word: WordPattern, in searched: PhotoQuery.SearchedText?, orIn period: Range<Double>?,
    from least: WordPattern.Match, among scores: [UInt16]
  ) -> [UInt8] {
    var marks = [UInt8](repeating: 0, count: index.range.count)
    if let period {
      for row in rows(in: period, among: scores) { marks[row] = WordPattern.Match.whole.mark(weight: 0) }
    }
    for field in PhotoQuery.SearchedText.all where field.isSearched(by: searched) {
      let least = field.leastMatch(least, searchedBy: searched)
      index.words[field]?.mark(word, from: least, weight: field.weight, among: scores, &marks)
    }
    return marks
  }

  /// Returns the photos of a period. Those whose score is 0 may be missing.
  private func rows(in period: Range<Double>, among scores: [UInt16]) -> [Int] {
    // A pass over all times is faster than looking up many of them.
    if scores.count(where: { $0 > 0 }) > scores.count / 16 {
      return table.clocks(in: index.range).enumerated().compactMap { row, clock in
        period.contains(clock) || isOtherFile(of: row, in: period) ? row : nil
      }
    }
    return scores.indices.filter { scores[$0] > 0 && isRow($0, in: period) }
  }

  private func isRow(_ row: Int, in period: Range<Double>) -> Bool {
    period.contains(table.clock(at: index.range.lowerBound + row)) || isOtherFile(of: row, in: period)
  }

  /// Returns whether the time of another file of the row's photo is in a period. Videos are skipped: many have
  /// only the time of their file.
  private func isOtherFile(of row: Int, in period: Range<Double>) -> Bool {
    guard let files = table.groups.group(of: index.range.lowerBound + row)?.dropFirst() else { return false }
    return files.contains { period.contains(table.clock(at: $0)) && table.kindByName(of: $0) != .video }
  }

  private func passes(_ test: PhotoQuery.Test) -> (Int) -> Bool {
    let start = index.range.lowerBound
    return switch test {
    case .words: { _ in false }
    case .number(let number, let range): passes(number, range.contains)
    case .date(let range): { isRow($0, in: range) }
    case .near(let area): isIn(area)
    case .isForSale(let wanted): { table.isForSale(at: start + $0) == wanted }
    case .has(let feature):
      switch feature.source {
      case .words(let field): hasWords(field)
      case .set(let set):
        { row in
          var isIn = false
          table.groups.forEachPhoto(shownAs: start + row) {
            isIn = isIn || sets[set]?.contains(table.id(at: $0)) == true
          }
          return isIn
        }
      case .number(let number): passes(number) { !$0.isNaN && $0 != Float(number.absent) }
      }
    }
  }

  /// - Parameter test: A test that NaN does not pass.
  private func passes(_ number: MetadataField.Number, _ test: @escaping (Float) -> Bool) -> (Int) -> Bool {
    guard let column = index.numbers[number] else {
      let passes = test(Float(number.absent))
      return { _ in passes }
    }
    return { test(column[$0]) }
  }

  private func isIn(_ area: Area) -> (Int) -> Bool {
    guard let latitudes = index.numbers[.latitude], let longitudes = index.numbers[.longitude] else {
      return { _ in false }
    }
    return { area.contains(latitude: Double(latitudes[$0]), longitude: Double(longitudes[$0])) }
  }

  private func hasWords(_ field: PhotoQuery.SearchedText) -> (Int) -> Bool {
    var marks = [UInt8](repeating: 0, count: index.range.count)
    index.words[field]?.markAll(&marks)
    return { [marks] in marks[$0] > 0 }
  }
}

// Loops without branches, which the compiler turns into vector instructions.
extension UnsafeMutableBufferPointer<UInt16> {
  /// Sets the score of each photo to 1, or to 0 if it is 0 in another list.
  fileprivate func keep(_ known: [UInt16]) {
    known.withUnsafeBufferPointer { known in
      for row in 0..<Swift.min(count, known.count) { self[row] = Swift.min(known[row], 1) }
    }
  }

  /// Adds the mark of each photo to its score. The score becomes 0 if either of them is 0.
  fileprivate func add(_ marks: UnsafeBufferPointer<UInt8>) {
    for row in 0..<Swift.min(count, marks.count) {
      let (score, mark) = (self[row], UInt16(marks[row]))
      let kept: UInt16 = (score == 0 ? 0 : .max) & (mark == 0 ? 0 : .max)
      self[row] = (Swift.min(score, .max &- mark) &+ mark) & kept
    }
  }
}

extension PhotoQuery.Test {
  fileprivate var isWords: Bool {
    if case .words = self { true } else { false }
  }
}
