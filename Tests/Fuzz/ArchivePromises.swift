import Gallery
import Glibc

@testable import ImageWire
@testable import tintype_pictures

/// The promises of the image worker about archives, whose photos it lists and unpacks. The input is an archive's file.
struct ArchivePromises {
  private let bytes: [UInt8]

  /// The most photos that are unpacked.
  private static let mostPhotos = 3

  init(_ input: [UInt8]) { bytes = input }

  func check() throws {
    let path = FilePath("/archive.zip")
    guard let files = files() else { return }
    let job = ImageRequest.Job.list(ListingRequest(readsMetadata: bytes.count % 2 == 0))
    guard
      case .listing(let listing) = try ImagePromises.answer(ImageRequest(number: 1, path: path, job: job), files)
    else { return }
    let images = ImagePromises(bytes)
    for entry in listing.entries.prefix(Self.mostPhotos) {
      let parts = entry.name.split(separator: UInt8(ascii: "/"))
      try promise(!parts.contains { $0.elementsEqual("..".utf8) }, "no entry leads out of the archive")
      guard let files = self.files() else { return }
      var request = ImageRequest(number: 2, path: path.appending(entry.name), job: .show(images.request()))
      request.entryCount = entry.name.count
      try images.check(request, files)
    }
  }

  private func files() -> RequestFiles? {
    guard let archive = FuzzedFile.make(of: bytes) else { return nil }
    guard let memory = FuzzedFile.make(of: []) else {
      close(archive)
      return nil
    }
    return RequestFiles(photo: archive, memory: memory)
  }
}
