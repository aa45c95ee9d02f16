import FoundationEssentials
import Gallery
import Photos

/// A search through some photos of a table.
struct PieceSearch {
  let index: PieceIndex
  let table: PhotoTable

  /// Returns the score of each photo, which is higher for better matches and 0 for photos that do not match.
  ///
  /// - Parameter known: The scores for a query that this query narrows. Photos with a score of 0 do not match. Photos
  ///   beyond the end of the list may match.
  func scores(of query: PhotoQuery, among known: [UInt16]?) -> [UInt16] {
    var scores: [UInt16] = (known ?? []).prefix(index.range.count).map { $0 > 0 ? 1 : 0 }
    scores += [UInt16](repeating: 1, count: index.range.count - scores.count)
    // Cheap tests come first: if no photo passes them, no words are compared.
    for term in query.terms.sorted(by: { !$0.test.isWords && $1.test.isWords }) {
      guard scores.contains(where: { $0 > 0 }) else { break }
      apply(term, to: &scores)
    }
    return scores
  }

  private func apply(_ term: PhotoQuery.Term, to scores: inout [UInt16]) {
    switch term.test {
    case .words(let words, let field) where term.isNegated:
      let marks = words.map { self.marks(of: $0, in: field, from: .inside) }
      for row in scores.indices where marks.allSatisfy({ $0[row] > 0 }) { scores[row] = 0 }
    case .words(let words, let field):
      for word in words {
        for (row, mark) in marks(of: word, in: field, from: .scattered).enumerated() {
          let score = scores[row]
          scores[row] = score == 0 || mark == 0 ? 0 : min(score, .max - UInt16(mark)) + UInt16(mark)
        }
      }
    default:
      let passes = passes(term.test)
      for row in scores.indices where scores[row] > 0 && passes(row) == term.isNegated { scores[row] = 0 }
    }
  }

  private func marks(
    of word: WordPattern, in searched: PhotoQuery.TextField?, from least: WordPattern.Match
  ) -> [UInt8] {
    var marks = [UInt8](repeating: 0, count: index.range.count)
    for field in PhotoQuery.TextField.all where field.isSearched(by: searched) {
      index.words[field]?.mark(word, from: least, weight: field.weight, &marks)
    }
    return marks
  }

  private func passes(_ test: PhotoQuery.Test) -> (Int) -> Bool {
    let start = index.range.lowerBound
    return switch test {
    case .words: { _ in false }
    case .number(let number, let range): passes(number, range.contains)
    case .date(let range): { range.contains(table.clock(at: start + $0)) }
    case .isForSale(let wanted): { table.isForSale(at: start + $0) == wanted }
    case .has(let feature):
      switch feature.source {
      case .words(let field): hasWords(field)
      case .number(let number): passes(number) { $0 != 0 }
      }
    }
  }

  private func passes(_ number: MetadataField.Number, _ test: @escaping (Int) -> Bool) -> (Int) -> Bool {
    guard let column = index.numbers[number] else { return { _ in false } }
    return { column[$0].map(test) ?? false }
  }

  private func hasWords(_ field: PhotoQuery.TextField) -> (Int) -> Bool {
    var marks = [UInt8](repeating: 0, count: index.range.count)
    index.words[field]?.markAll(&marks)
    return { [marks] in marks[$0] > 0 }
  }
}

extension PhotoQuery.Test {
  fileprivate var isWords: Bool {
    if case .words = self { true } else { false }
  }
}

/// The order of photos by their scores.
struct Ranking {
  private let scores: [UInt16]

  /// - Parameter pieces: The scores of the photos, in one list for each piece of the table.
  init(_ pieces: [[UInt16]]) { scores = Array(pieces.joined()) }

  /// Returns the indices of the photos with a score above 0, highest score first. Equal scores follow `order`.
  func indices(order: [Int32]?) -> [Int32] {
    var places = [Int](repeating: 0, count: Int(scores.max() ?? 0) + 1)
    for score in scores { places[Int(score)] += 1 }
    // Replaces the number of photos with a score by the place of the first of them.
    var end = 0
    for score in places.indices.dropFirst().reversed() { (places[score], end) = (end, end + places[score]) }
    var result = [Int32](repeating: 0, count: end)
    let put = { (index: Int) in
      let score = Int(scores[index])
      if score == 0 { return }
      result[places[score]] = Int32(index)
      places[score] += 1
    }
    if let order { for index in order where index < scores.count { put(Int(index)) } }
    for index in min(order?.count ?? 0, scores.count)..<scores.count { put(index) }
    return result
  }
}
