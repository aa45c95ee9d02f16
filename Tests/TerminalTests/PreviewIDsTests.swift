import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) struct PreviewIDsTests {
  @Test func terminalsHaveDifferentIDs() {
    let ranges = (0..<40).map { PreviewIDs(device: $0).all }
    for (first, second) in zip(ranges, ranges.dropFirst()) { #expect(first.upperBound < second.lowerBound) }
    for device in [0, 1023, 1024, 1 << 20] {
      let ids = PreviewIDs(device: device)
      #expect(PreviewIDs.reserved.contains(ids.all.lowerBound) && PreviewIDs.reserved.contains(ids.all.upperBound))
    }
  }

  @Test func placesOfAScreenHaveDifferentIDs() {
    let ids = PreviewIDs(device: 7)
    let all = (0..<64).flatMap { row in
      (0..<64).map { ids[Rect(column: $0, row: row, columns: 1, rows: 1)] }
    }
    #expect(Set(all).count == 64 * 64 && all.allSatisfy(ids.all.contains))
  }
}
