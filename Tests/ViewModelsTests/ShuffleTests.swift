import Photos
import TestLimit
import Testing

@testable import ViewModels

@Suite(.limited) struct ShuffleTests {
  /// Returns the rows in their order, beginning with the first row.
  private func order(_ count: Int, seed: UInt64) -> [RowIndex] {
    let shuffle = Shuffle(count: count, seed: seed)
    return (1..<count).reduce(into: [0]) { rows, _ in rows.append(shuffle.row(1, after: rows[rows.count - 1])) }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 36, 1000])
  func eachRowComesOnceBeforeAnyComesAgain(count: Int) {
    for seed: UInt64 in 0..<20 {
      let rows = order(count, seed: seed)
      guard rows.sorted() == Array(0..<RowIndex(count)) else {
        Issue.record("\(rows) with the seed \(seed)")
        return
      }
      #expect(Shuffle(count: count, seed: seed).row(1, after: rows[count - 1]) == 0)
    }
  }

  @Test func theOrderIsTheSameBackward() {
    let rows = order(36, seed: 7)
    let shuffle = Shuffle(count: 36, seed: 7)
    for place in 3..<36 {
      #expect(shuffle.row(-1, after: rows[place]) == rows[place - 1])
      #expect(shuffle.row(-3, after: rows[place]) == rows[place - 3])
      #expect(shuffle.row(3, after: rows[place - 3]) == rows[place])
    }
  }

  /// In a random order, about one of a list's rows follows the one before it.
  @Test func theOrderIsRandom() {
    let orders = (0..<100).map { order(100, seed: $0) }
    #expect(Set(orders).count == 100)
    let neighbors = orders.reduce(0) { sum, rows in sum + zip(rows, rows.dropFirst()).count { $1 == $0 + 1 } }
    #expect((50..<200).contains(neighbors))
    // All rows are the second one about as often.
    #expect(Set(orders.map { $0[1] }).count > 45)
  }

  /// New rows come in between. What has been shown does not come again because of them.
  @Test func aGrowingListKeepsTheOrderOfItsRows() {
    let (few, many) = (order(40, seed: 3), order(64, seed: 3))
    #expect(many.filter { $0 < 40 } == few)
  }
}
