import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Photos in archives, as the worker lists and unpacks them.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class ArchiveTests {
  private let folder: ImageFolder
  private let photo: [UInt8]

  init() throws {
    folder = try ImageFolder()
    photo = [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path("chelsea.jpg"))))
  }

  private func listing(_ archive: FilePath, metadata: Bool = false) async throws -> ArchiveListing {
    let lister = ArchiveLister(workerPath: folder.workerPath)
    var (all, start): (ArchiveListing, Int?) = (ArchiveListing(), 0)
    while let place = start {
      let part = try await lister.listing(of: archive, from: place, readsMetadata: metadata).get()
      all.entries += part.entries
      all.archives += part.archives
      all.fault = part.fault
      start = part.next
    }
    return all
  }

  private func names(_ listing: ArchiveListing) -> [String] {
    listing.entries.map { String(decoding: $0.name, as: UTF8.self) }
  }

  private func isShown(_ entry: String, of archive: FilePath) async throws -> Bool {
    let path = try #require(archive.entry(Array(entry.utf8)))
    guard case .graphic = await folder.answer(path, columns: 40).content else { return false }
    return true
  }

  private func fault(_ entry: String, of archive: FilePath) async throws -> ImageFault? {
    let path = try #require(archive.entry(Array(entry.utf8)))
    guard case .failure(let fault) = await folder.answer(path, columns: 40).content else { return nil }
    return fault
  }

  @Test func photosOfAZipAreListedShownAndRead() async throws {
    let entries: [(String, [UInt8])] = [
      ("p/2.jpg", photo), ("p/ü.jpg", photo), ("notes.txt", [1]), ("__MACOSX/._2.jpg", [1]), ("inner.zip", [1]),
    ]
    let archive = try folder.write(ZipFile(entries).bytes, as: "a.zip")
    let found = try await listing(archive)
    #expect(names(found) == ["p/2.jpg", "p/ü.jpg"])
    #expect(found.archives == 1 && found.fault == nil)
    #expect(found.entries.allSatisfy { $0.size == photo.count && $0.result == nil })
    let read = try await listing(archive, metadata: true)
    let metadata = try #require(try read.entries.first?.result?.get()).metadata
    #expect(metadata.width == 451)
    #expect(metadata.fileSize == photo.count)
    for name in ["p/ü.jpg", "p/2.jpg", "p/ü.jpg"] { #expect(try await isShown(name, of: archive)) }
    #expect(try await fault("p/3.jpg", of: archive) == .archive(.noEntry))
    #expect(try await fault("notes.txt", of: archive) == .unknownFormat)
  }

  /// The archive is read on for a later photo, and again from its start for an earlier one.
  @Test(arguments: ["tar", "tar.gz", "tar.xz", "tar.zst", "7z", "zip", "rar"])
  func photosAreUnpackedInAnyOrder(ending: String) async throws {
    let all: [String] = (1...12).map { "\($0).jpg" }
    let archive = folder.path.appending("a.\(ending)".utf8)
    if ending == "rar" {
      _ = try folder.write(RarFile(all.map { ($0, photo) }).bytes, as: "a.rar")
    } else {
      for name in all { _ = try folder.write(photo, as: name) }
      let options: [String] = ["-caf", archive.printable, "-C", folder.path.printable]
      try Self.run("bsdtar", options + all)
    }
    let found = try await listing(archive, metadata: true)
    #expect(names(found).sorted() == all.sorted())
    #expect(found.fault == nil)
    for entry in found.entries { #expect(try entry.result?.get().metadata.width == 451) }
    for number in [3, 4, 9, 1, 12, 12, 2] { #expect(try await isShown("\(number).jpg", of: archive)) }
  }

  @Test func namesThatLeadOutOfTheArchiveAreNamesInIt() async throws {
    let entries: [(String, [UInt8])] = [
      ("../../up.jpg", photo), ("/etc/abs.jpg", photo), ("p/../same.jpg", photo), ("p/./same.jpg", [0]),
    ]
    let archive = try folder.write(ZipFile(entries).bytes, as: "a.zip")
    #expect(names(try await listing(archive)) == ["up.jpg", "etc/abs.jpg", "p/same.jpg"])
    for name in ["up.jpg", "etc/abs.jpg", "p/same.jpg"] { #expect(try await isShown(name, of: archive)) }
  }

  /// Nanoseconds since 1970 fit in an integer until 2262, and file systems and archives go further.
  @Test func aDateThatDoesNotFitIsUnknown() async throws {
    let file = try folder.write(photo, as: "1.jpg")
    let year2400 = timespec(tv_sec: 13_569_465_600, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, file.printable, [year2400, year2400], 0) == 0)
    let archive = folder.path.appending("a.tar".utf8)
    try Self.run("bsdtar", ["-cf", archive.printable, "-C", folder.path.printable, "1.jpg"])
    #expect(try await listing(archive).entries.map(\.modifiedAt) == [0])
    guard case .graphic = await folder.answer(file).content else { throw CancellationError() }
  }

  @Test func anEncryptedPhotoSaysSo() async throws {
    let archive = try folder.write(ZipFile([("1.jpg", photo)], isEncrypted: true).bytes, as: "a.zip")
    #expect(try await listing(archive).entries.map(\.result) == [.failure(.archive(.encrypted))])
    #expect(try await fault("1.jpg", of: archive) == .archive(.encrypted))
  }

  @Test func whatIsNoArchiveSaysSo() async throws {
    let archive = try folder.write(photo, as: "a.zip")
    #expect(try await listing(archive).fault == .unknownFormat)
    #expect(try await fault("1.jpg", of: archive) == .archive(.unknownFormat))
    await #expect(throws: ImageFault.missing) { try await listing(folder.path.appending("none.zip".utf8)) }
  }

  /// Zeros that take a thousandth of their size in the archive, and an entry that claims to be small.
  @Test func aBombIsRefused() async throws {
    let zeros = folder.path.appending("big.jpg".utf8)
    _ = try folder.write([], as: "big.jpg")
    try #require(truncate(zeros.printable, off_t(ArchiveFault.mostBytesOfEntry) + 1) == 0)
    for ending in ["zip", "tar.gz"] {
      let archive = folder.path.appending("a.\(ending)".utf8)
      try Self.run("bsdtar", ["-caf", archive.printable, "-C", folder.path.printable, "big.jpg"])
      #expect(try await listing(archive, metadata: true).entries.map(\.result) == [.failure(.archive(.tooLarge))])
      #expect(try await fault("big.jpg", of: archive) == .archive(.tooLarge))
    }
  }

  /// Whatever its end is, an archive is listed as far as it goes, or has a reason why not. No worker dies.
  @Test(arguments: ["zip", "tar.xz", "7z"]) func anIncompleteArchiveHarmsNothing(ending: String) async throws {
    for number in 1...2 { _ = try folder.write(photo.prefix(3000), as: "\(number).jpg") }
    let whole = folder.path.appending("whole.\(ending)".utf8)
    try Self.run("bsdtar", ["-caf", whole.printable, "-C", folder.path.printable, "1.jpg", "2.jpg"])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole.printable)))
    for length in stride(from: 1, to: bytes.count, by: 211) {
      try await expectHarmless(bytes.prefix(length), "cut at \(length)", ending)
      var damaged = bytes
      damaged[length] = ~damaged[length]
      try await expectHarmless(damaged, "damaged at \(length)", ending)
    }
  }

  private func expectHarmless(_ bytes: some Collection<UInt8>, _ note: String, _ ending: String) async throws {
    let archive = try folder.write(bytes, as: "damaged.\(ending)")
    let request = ImageRequest.Job.list(ListingRequest(readsMetadata: true))
    let harm: [ImageFault] = [.crashed, .timedOut, .unresponsive, .invalidAnswer]
    let answers: [ImageAnswer] = [
      await folder.answer(archive, request), await folder.answer(archive.appending("2.jpg".utf8)),
    ]
    for answer in answers {
      guard case .failure(let fault) = answer.content else { continue }
      #expect(!harm.contains(fault), "\(note): \(fault)")
    }
  }

  private static func run(_ program: String, _ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
