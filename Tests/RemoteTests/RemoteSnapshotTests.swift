import Foundation
import Gallery
import Photos
import TestLimit
import Testing

@testable import Remote

/// Tables that are sent as what has changed.
@Suite(.limited) struct RemoteSnapshotTests {
  private let base = RemoteBase(root: "/srv", machine: "nas")

  private func photo(_ id: Int, rating: Int? = nil) -> Photo {
    var metadata = PhotoMetadata()
    metadata.rating = rating
    metadata.camera = "Canon EOS R5"
    return Photo(
      id: id, name: "photo \(id)", description: id % 3 == 0 ? "caption \(id)" : nil,
      createdAt: Date(timeIntervalSince1970: Double(id)), createdOffset: 3600, imageURL: "a/\(id).jpg",
      image: .file("/srv/a/\(id).jpg"), camera: "Canon EOS R5", metadata: rating == nil ? nil : metadata)
  }

  /// A table whose images follow from their addresses, as those of folders.
  private func table(_ photos: [Photo]) -> PhotoTable {
    var table = PhotoTable()
    for start in stride(from: 0, to: photos.count, by: 100) {
      var packer = PhotoPacker(base: FilePath("/srv"))
      for photo in photos[start..<min(start + 100, photos.count)] {
        packer.append(id: photo.id, createdAt: photo.createdAt.timeIntervalSince1970, createdOffset: 3600) {
          switch $0 {
          case .name: $1 += photo.name.utf8
          case .description: $1 += (photo.description ?? "").utf8
          case .imageURL: $1 += photo.imageURL.utf8
          case .camera: $1 += (photo.camera ?? "").utf8
          case .author, .license: break
          }
        }
        if let metadata = photo.metadata { packer.append(metadata) }
      }
      table.append(packer.pack())
    }
    return table
  }

  private func sent(_ table: PhotoTable, after former: PhotoTable?, _ last: PhotoTable) throws -> (
    PhotoTable, bytes: Int
  ) {
    let bytes = RemoteCoding.bytes(RemoteSnapshot(PhotoSnapshot(photos: table), after: former))
    guard case .snapshot(let news)? = try RemoteCoding.answer(bytes, isWhole: true) else {
      Issue.record("it is no snapshot")
      return (PhotoTable(), 0)
    }
    return (try news.snapshot(after: last, base: base).photos, bytes.count)
  }

  private func expectSame(_ here: PhotoTable, as there: PhotoTable, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(here.count == there.count, sourceLocation: sourceLocation)
    for (one, other) in zip(here, there) {
      var expected = other
      expected.image = .file(FilePath(other.file ?? "/", on: "nas"))
      guard one == expected else {
        Issue.record("\(one) is not \(expected)", sourceLocation: sourceLocation)
        return
      }
    }
    #expect(here.groups == there.groups, sourceLocation: sourceLocation)
  }

  @Test func changesAreSentAloneAndTheTableIsTheSame() throws {
    var photos = (0..<1000).map { photo($0) }
    var former = table(photos)
    var (last, size) = try sent(former, after: nil, PhotoTable())
    expectSame(last, as: former)
    #expect(size < 30_000)
    /// Sends a table after the last one.
    func send(_ next: PhotoTable, atMost most: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
      (last, size) = try sent(next, after: former, last)
      expectSame(last, as: next, sourceLocation: sourceLocation)
      #expect(size < most, sourceLocation: sourceLocation)
      former = next
    }
    // A rating, metadata of all, photos that come between others or go, another order, and groups.
    photos[517] = photo(517, rating: 4)
    try send(table(photos), atMost: 600)
    for index in photos.indices { photos[index] = photo(index, rating: index % 6) }
    try send(table(photos), atMost: 40_000)
    photos.insert(photo(5000, rating: 1), at: 333)
    try send(table(photos), atMost: 600)
    photos.removeSubrange(10..<20)
    try send(table(photos), atMost: 600)
    photos.reverse()
    try send(table(photos), atMost: 20_000)
    var grouped = table(photos)
    grouped.groups = PhotoGroups([[3, 4], [10, 700, 11]], photoCount: grouped.count)
    try send(grouped, atMost: 300)
    try send(table(photos), atMost: 300)
    try send(PhotoTable(), atMost: 300)
  }

  /// A name that is not UTF-8 has an image of its own.
  @Test func imagesOfTheirOwnAreOnTheOtherMachine() throws {
    var packer = PhotoPacker(base: FilePath("/srv"))
    packer.append(id: 1, createdAt: 0, image: .file(FilePath([0x2F, 0xFF, 0x2F, 0xFE]))) { _, _ in }
    let (here, _) = try sent(PhotoTable(segments: [packer.pack()]), after: nil, PhotoTable())
    #expect(here.image(at: 0) == .file(FilePath(FilePath([0x2F, 0xFF, 0x2F, 0xFE]), on: "nas")))
  }

  /// No address of the other machine leads to a file here or to the web.
  @Test(arguments: ["/etc/passwd", "http://example.org/a.jpg", "../../etc/passwd", "a.jpg", ""])
  func everyAddressLeadsToTheOtherMachine(address: String) throws {
    let location = try #require(base.location(of: address))
    #expect(location.file?.remote?.machine == "nas")
  }

  /// Whatever bytes come, they are a table or an error.
  @Test func damagedBytesAreATableOrAnError() throws {
    let former = table((0..<50).map { photo($0) })
    var changed = (0..<50).map { photo($0, rating: $0 % 6) }
    changed.swapAt(3, 30)
    let snapshot = RemoteSnapshot(PhotoSnapshot(photos: table(changed)), after: former)
    var numbers = SystemRandomNumberGenerator()
    for round in 0..<3000 {
      var damaged = snapshot
      let place = Int.random(in: 0..<snapshot.table.count, using: &numbers)
      if round % 3 == 0 {
        damaged.table.removeSubrange(place...)
      } else {
        damaged.table[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      _ = try? damaged.snapshot(after: former, base: base)
      var bytes = RemoteCoding.bytes(snapshot)
      bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
      _ = try? RemoteCoding.answer(bytes, isWhole: true)
    }
  }
}
