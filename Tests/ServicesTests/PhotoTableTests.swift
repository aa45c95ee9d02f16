import Foundation
import Gallery
import Testing

@testable import Services

@Suite struct PhotoTableTests {
  private func photo(_ id: Int) -> Photo {
    Photo(
      id: id, name: "Näme \(id)", description: id % 3 == 0 ? nil : "a\nb \(id)",
      createdAt: Date(timeIntervalSince1970: Double(id) * 1.5), imageURL: "p/\(id).jpg",
      image: id % 2 == 0 ? .file("/elsewhere/\(id)") : .web("https://w.example/\(id)"),
      isForSale: [nil, true, false][id % 3], camera: id % 5 == 0 ? nil : "C", author: id % 7 == 0 ? "A" : nil,
      license: id % 11 == 0 ? "L" : nil)
  }

  @Test func photosComeOutAsTheyWentIn() {
    let photos = (0..<70_000).map(photo)
    let table = PhotoTable(photos)
    #expect(table.count == photos.count)
    #expect(table.elementsEqual(photos))
    #expect(table.indices.allSatisfy { table.id(at: $0) == $0 && table.createdAt(at: $0) == photos[$0].createdAt })
    #expect(PhotoTable([]).isEmpty)
  }

  @Test func columnsAreReadWithoutPhotos() {
    let table = PhotoTable([photo(77), photo(30)])
    let texts = PhotoTable.Column.allCases.map { column in
      table.indices.map { table.withText(column, at: $0) { String(decoding: $0, as: UTF8.self) } }
    }
    #expect(
      texts == [
        ["Näme 77", "Näme 30"], ["a\nb 77", ""], ["p/77.jpg", "p/30.jpg"], ["C", ""], ["A", ""], ["L", ""],
      ])
  }

  @Test(arguments: [1, 3, 1000]) func aTableThatGrowsLeavesItsCopiesAlone(step: Int) {
    var table = PhotoTable()
    var copies: [PhotoTable] = []
    for start in stride(from: 0, to: 3000, by: step) {
      var packer = PhotoPacker()
      for id in start..<start + step { packer.append(photo(id)) }
      copies.append(table)
      table.append(packer.pack())
    }
    #expect(table.elementsEqual((0..<3000).map(photo)))
    for (number, copy) in copies.enumerated() {
      #expect(copy.count == number * step)
      #expect(copy.indices.suffix(1).allSatisfy { copy.id(at: $0) == $0 })
    }
    #expect(copies[copies.count / 2].elementsEqual((0..<copies.count / 2 * step).map(photo)))
  }
}
