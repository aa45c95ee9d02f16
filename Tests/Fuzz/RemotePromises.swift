import Foundation
import Gallery
import Photos

@testable import Remote

/// The promises of the messages between two galleries on two machines, of which either may be hostile.
///
/// Any bytes are messages or are rejected, and no image of a table is on this machine.
struct RemotePromises {
  private let kind: UInt8
  private let size: Int
  private let bytes: [UInt8]

  private static let base = RemoteBase(root: "/srv", machine: "nas")
  /// The table that a snapshot changes.
  private static let former: PhotoTable = {
    var packer = PhotoPacker(base: RemotePromises.base)
    for id in 0..<8 {
      packer.append(id: id, createdAt: Double(id)) { if $0 == .imageURL || $0 == .name { $1 += "\(id).jpg".utf8 } }
      if id % 2 == 0 { packer.append(PhotoMetadata()) }
    }
    return PhotoTable(segments: [packer.pack()])
  }()

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    (kind, size) = (choices.byte(), Int(choices.byte()) + 1)
    bytes = Array(choices.rest)
  }

  func check() throws {
    switch kind % 5 {
    case 0: _ = try? RemoteCoding.request(bytes)
    case 1:
      _ = try? RemoteCoding.answer(bytes, isWhole: false)
      if case .snapshot(let snapshot)? = try? RemoteCoding.answer(bytes, isWhole: true) { try check(snapshot) }
    case 2: try check(RemoteSnapshot(head: .empty, table: bytes))
    case 3: try checkPieces()
    default: try checkCompression()
    }
  }

  private func check(_ snapshot: RemoteSnapshot) throws {
    guard let result = try? snapshot.snapshot(after: Self.former, base: Self.base) else { return }
    for photo in result.photos {
      try promise(photo.image.file?.remote?.machine == "nas", "an image is on the other machine")
      if let metadata = photo.metadata {
        try promise(metadata == MetadataRecord(metadata).metadata, "metadata is fit to be shown")
      }
    }
    for group in result.photos.groups.all {
      try promise(group.allSatisfy { result.photos.indices.contains($0) }, "a group has photos of the table")
    }
    // What has come can be sent on.
    let again = RemoteSnapshot(result, after: nil)
    guard let same = try? again.snapshot(after: PhotoTable(), base: Self.base) else {
      throw BrokenPromise(description: "a snapshot that was sent is received")
    }
    // An image of its own would be on a machine behind the other one.
    func withoutImage(_ photo: Photo) -> Photo {
      var photo = photo
      photo.image = .web("")
      return photo
    }
    try promise(
      same.photos.map(withoutImage) == result.photos.map(withoutImage), "photos are received as they were sent")
  }

  private func checkPieces() throws {
    func messages(_ pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
      var (incoming, result) = (RemoteLink.Incoming(), [[UInt8]]())
      for piece in pieces {
        incoming.append(piece)
        while let next = incoming.next() {
          guard next.kind < 2 else { continue }
          if !incoming.add(next, isLast: next.kind == 1) { return result }
        }
        incoming.report { if case .message(_, let bytes, true) = $0 { result.append(bytes) } }
        if incoming.isMalformed { return result }
      }
      return result
    }
    try promise(
      messages([bytes[...]]) == messages(bytes.pieces(of: size)), "messages do not depend on the pieces of the stream")
  }

  private func checkCompression() throws {
    try promise(
      (try? RemoteCompression.decompress(RemoteCompression.compress(bytes))) == bytes, "bytes are unpacked as they were"
    )
    _ = try? RemoteCompression.decompress(bytes)
  }
}

extension RemoteSnapshot.Head {
  fileprivate static let empty = RemoteSnapshot.Head(
    capabilities: 0, problems: [], opened: nil, progress: nil, isComplete: true, totalItems: 0,
    isChange: true)
}
