import TestLimit
import Testing

@testable import Folder

@Suite(.limited) struct FileNamesTests {
  private func sorted(_ names: [[UInt8]]) -> [[UInt8]] {
    var packed = FileNames()
    for name in names { name.withUnsafeBufferPointer { packed.append($0) } }
    packed.sort()
    return (0..<packed.count).map { Array(packed[$0]) }
  }

  @Test(arguments: [
    [], ["a"], ["b", "a"], ["IMG_2.jpg", "IMG_10.jpg", "IMG_1.jpg"], ["abc", "ab", "abcd", "a"],
    ["b", "x1234567890b", "x1234567890a"],
    ["prefix-of-eight-bytes-12345678b", "prefix-of-eight-bytes-12345678a", "prefix-of-eight-bytes-12345678"],
    ["same-12345678-x-2", "same-12345678-x-1", "same-12345679-a", "same-12345678"], ["ü", "z", "Z", "é"],
  ])
  func namesAreInTheOrderOfTheirBytes(names: [String]) {
    let bytes = names.map { Array($0.utf8) }
    #expect(sorted(bytes) == bytes.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func namesThatDifferOnlyInZerosAreInOrder() {
    // No file has such a name, but the order must not depend on it.
    let zeros = [UInt8](repeating: 0, count: 10)
    let names: [[UInt8]] = [[1, 0, 0], [1], [1, 0], [1] + zeros + [1], [1] + zeros + [0]]
    #expect(sorted(names) == names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func unwantedNamesAreRemoved() {
    var names = FileNames()
    for name in ["c", "b", "a"] { Array(name.utf8).withUnsafeBufferPointer { names.append($0) } }
    names.keep { !$0.elementsEqual("b".utf8) }
    names.sort()
    #expect((0..<names.count).map { String(decoding: names[$0], as: UTF8.self) } == ["a", "c"])
  }
}
