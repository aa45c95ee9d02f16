import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos

@Suite(.limited) struct PhotoTableTests {
  private func photo(_ id: Int) -> Photo {
    Photo(
      id: id, name: "Näme \(id)", description: id % 3 == 0 ? nil : "a\nb \(id)",
      createdAt: Date(timeIntervalSince1970: Double(id) * 1.5), imageURL: "p/\(id).jpg",
      image: id % 2 == 0 ? .file("/elsewhere/\(id)") : .web("https://w.example/\(id)"),
      isForSale: [nil, true, false][id % 3], camera: id % 5 == 0 ? nil : "C", author: id % 7 == 0 ? "A" : nil,
      license: id % 11 == 0 ? "L" : nil)
  }

  @Test func photosAreReturnedAsTheyWereAppended() {
    let photos = (0..<70_000).map(photo)
    let table = PhotoTable(photos)
    #expect(table.count == photos.count)
    #expect(table.elementsEqual(photos))
    #expect(table.indices.allSatisfy { table.id(at: $0) == photos[$0.value].id })
    #expect(table.indices.allSatisfy { table.createdAt(at: $0) == photos[$0.value].createdAt })
    #expect(PhotoTable([]).isEmpty)
  }

  @Test func columnsAreReadWithoutCreatingPhotos() {
    let table = PhotoTable([photo(77), photo(30)])
    let texts = PhotoColumn.allCases.map { column in
      table.indices.map { table.withText(column, at: $0) { String(decoding: $0, as: UTF8.self) } }
    }
    #expect(
      texts == [
        ["Näme 77", "Näme 30"], ["a\nb 77", ""], ["p/77.jpg", "p/30.jpg"], ["C", ""], ["A", ""], ["L", ""],
      ])
  }

  private func segment(_ ids: Range<Int>) -> PackedPhotos {
    var packer = PhotoPacker()
    for id in ids { packer.append(photo(id)) }
    return packer.pack()
  }

  /// A search that knows the shorter table goes on with the photos behind its end.
  @Test func aTableOfSegmentsIsTheBeginningOfOneLongerCopy() {
    let table = PhotoTable(segments: [segment(0..<10)])
    var (longer, other) = (table, table)
    longer.append(segment(10..<12))
    other.append(segment(20..<22))
    #expect(longer.lineage === table.lineage && other.lineage !== table.lineage)
  }

  @Test func changesAreFoundBySegment() {
    let segments = [segment(0..<10), segment(10..<15), segment(15..<40)]
    let table = PhotoTable(segments: segments)
    #expect(table.changes(since: table) == [])
    let packedAgain = PhotoTable(segments: [segments[0], segment(10..<15), segments[2]])
    #expect(packedAgain.changes(since: table) == [10..<15])
    // Other segments of the same photos.
    #expect(PhotoTable(segments: [segments[0], segment(10..<40)]).changes(since: table) == [10..<15, 15..<40])
    #expect(PhotoTable(segments: [segments[0], segment(10..<14), segment(14..<40)]).changes(since: table)?.count == 3)
    // Other photos.
    #expect(PhotoTable(segments: [segments[1], segments[0], segments[2]]).changes(since: table) == nil)
    #expect(PhotoTable(segments: [segments[0], segments[1]]).changes(since: table) == nil)
  }

  @Test(arguments: [1, 3, 1000]) func appendingDoesNotChangeEarlierCopies(step: Int) {
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
      #expect(copy.indices.suffix(1).allSatisfy { copy.id(at: $0) == $0.value })
    }
    #expect(copies[copies.count / 2].elementsEqual((0..<copies.count / 2 * step).map(photo)))
  }

  private func metadata(_ id: Int) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.camera = photo(id).camera
    metadata.caption = photo(id).description
    metadata.title = photo(id).name
    metadata.takenAt = CaptureTime(clock: Double(id) / 3, offset: id % 2 == 0 ? nil : -id * 60)
    (metadata.width, metadata.height) = (id, id * 1000)
    if id % 4 == 0 { return metadata }
    (metadata.lens, metadata.label, metadata.rating, metadata.iso) = (
      "Läns \(id)", "Red", id % 7 - 1, Int(Int32.max) - id
    )
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength) = (1 / Double(id + 1), 2.8, 1e-300)
    metadata.place = PhotoMetadata.Place(latitude: -1.25, longitude: 180, altitude: id % 5 == 0 ? nil : -0.1)
    metadata.keywords = (0..<id % 4).map { "k\($0)" }
    return metadata
  }

  @Test(arguments: [[], [3], [3, 7], [7]]) func joinedPackersHaveThePhotosOfBoth(idsWithMetadata: Set<Int>) {
    var packers = [PhotoPacker(), PhotoPacker()]
    for id in 0..<10 {
      let number = id / 5
      packers[number].append(id: id, createdAt: Double(id)) { column, bytes in
        if column == .name { bytes += "N\(id)".utf8 }
      }
      if idsWithMetadata.contains(id) { packers[number].append(metadata(id)) }
    }
    packers[0].append(packers[1])
    var table = PhotoTable()
    table.append(packers[0].pack())
    #expect(table.map(\.name) == (0..<10).map { "N\($0)" })
    #expect(
      table.indices.filter { table.metadataBesideColumns(at: $0) != nil }.map(\.value) == idsWithMetadata.sorted())
    #expect(idsWithMetadata.allSatisfy { table.metadataBesideColumns(at: TableIndex($0))?.iso == metadata($0).iso })
  }

  /// Some segments have no metadata, and small segments with and without metadata are joined.
  @Test(arguments: [1, 1000, 40_000]) func rowsKeepTheirOwnMetadata(step: Int) {
    var table = PhotoTable()
    let count = max(3000, step)
    for start in stride(from: 0, to: count, by: step) {
      var packer = PhotoPacker()
      for id in start..<start + step {
        packer.append(id: id, createdAt: 0, isForSale: nil) { column, bytes in
          let text = [photo(id).name, photo(id).description, "p/\(id).jpg", photo(id).camera, nil, nil][column.rawValue]
          bytes += (text ?? "").utf8
        }
        if id % 3 == 0, id > 1500 { packer.append(metadata(id)) }
      }
      table.append(packer.pack())
    }
    #expect(
      (0..<count).allSatisfy { table[TableIndex($0)].metadata == ($0 % 3 == 0 && $0 > 1500 ? metadata($0) : nil) })
    #expect(
      table.indices.allSatisfy {
        var metadata = table[$0].metadata
        metadata?.title = nil
        metadata?.caption = nil
        metadata?.camera = nil
        return table.metadataBesideColumns(at: $0) == metadata
      })
    for range: Range<TableIndex> in [table.indices, 7..<table.endIndex - 7, 1..<1] {
      #expect(table.clocks(in: range) == range.map { table[$0].clock })
    }
  }
}
