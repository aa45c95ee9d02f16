import Foundation
import Gallery
import TestLimit
import TestPhotos
import Testing
import Torture

@testable import Images

/// The workers that read metadata, with thousands of damaged files.
@MainActor
@Suite(.timeLimit(.minutes(10)), .limited) final class DamagedMetadataTests {
  private let folder: MetadataFolder
  private var workers: MetadataWorkers { folder.workers }

  init() throws { folder = try MetadataFolder() }

  nonisolated private static let perBlock = 60

  /// A failure names the format and the seed, from which the damaged file can be made again.
  @Test(arguments: SampleContainer.all, Torture.blocks(4, long: 50))
  func damagedFilesLeaveTheWorkerIntactTorture(sample: SampleContainer, block: Int) async throws {
    let seeds = (0..<Self.perBlock).map { block * Self.perBlock + $0 }
    let photos = try seeds.map { seed in
      var random = SplitMix(seed: seed)
      let file = try folder.write(sample.bytes.damaged(by: &random), as: "\(sample.name)-\(seed)")
      let sidecar = try folder.write(
        Array(SamplePhoto.packet.utf8).damaged(by: &random), as: "\(sample.name)-\(seed).xmp")
      return FoundPhoto(path: file, sidecar: sidecar)
    }
    let whole = try folder.write(sample.bytes, as: sample.name)
    let results = await workers.metadata(of: photos + [FoundPhoto(path: whole)])
    // The intact file shows that files of this format are read at all.
    #expect(try results.last?.get().metadata.camera == "Maker Model 1")
    for (seed, result) in zip(seeds, results) { #expect(result != .failure(.harmful), "\(sample.name), seed \(seed)") }
  }

  /// Any wrong bytes among the boxes of a file leave the worker intact.
  @Test(arguments: RealPhoto.allCases) func damagedBoxesLeaveTheWorkerIntact(photo: RealPhoto) async throws {
    var generator = SystemRandomNumberGenerator()
    let files = try (0..<200).map { number in
      var bytes = photo.bytes
      for _ in 0..<8 { bytes[Int.random(in: 12..<min(bytes.count, 900), using: &generator)] = .random(in: 0...255) }
      return FoundPhoto(path: try folder.write(bytes, as: "\(photo)-\(number)"))
    }
    for result in await workers.metadata(of: files) { #expect(result != .failure(.harmful)) }
  }

  /// A file of nothing but markers was once searched to its end from each of them.
  @Test func aFileOfMarkersIsReadInTime() async throws {
    var markers: [UInt8] = [0xFF, 0xC4, 0, 2]
    for _ in 0..<19 { markers += markers }
    let file = try folder.write(SamplePhoto.jpeg([SamplePhoto.exif()]).dropLast(2) + markers, as: "markers")
    let record = try await workers.metadata(of: [FoundPhoto(path: file)])[0].get()
    #expect(record.metadata.camera == "Maker Model 1")
  }

  /// Counts that exceed the file, and parts that take no bytes, don't keep the reader busy.
  @Test func hostileCountsAreReadInTime() async throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count + 8, 4) + Array(type.utf8) + content
    }
    func repeating(_ bytes: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }
    let item = number(1, 2) + number(0, 2) + number(0xFFFF, 2)
    let locations = box("iloc", number(0, 4) + [0, 0] + number(0xFFFF, 2) + repeating(item, 100_000))
    let information = box("iinf", number(0, 4) + number(0xFFFF, 2) + repeating(box("infe", number(0, 4)), 20_000))
    let empty = box("ipco", repeating(box("free", []), 10_000))
    let metadata = [box("meta", number(0, 4) + locations), box("meta", number(0, 4) + information + empty)]
    let head = box("ftyp", Array("heic".utf8) + number(0, 4))
    let endless = number(1, 4) + Array("meta".utf8) + repeating([0xFF], 8) + repeating([0], 40)
    let files =
      metadata.map { head + $0 } + [head + endless, head + repeating(number(8, 4) + Array("free".utf8), 50_000)]
    let photos = try files.enumerated().map { number, bytes in
      FoundPhoto(path: try folder.write(bytes, as: "\(number)"))
    }
    for result in await workers.metadata(of: photos) { #expect(try result.get().metadata.width == 0) }
  }
}

/// A file of each format whose metadata are read, with Exif and, if the format allows it, XMP.
struct SampleContainer: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  static let all: [SampleContainer] = [
    SampleContainer(
      name: "jpeg", bytes: SamplePhoto.jpeg([SamplePhoto.exif(), SamplePhoto.iptc, SamplePhoto.xmp])),
    SampleContainer(name: "tiff", bytes: SamplePhoto.tiff(isBigEndian: true)),
    SampleContainer(name: "tiff-little", bytes: SamplePhoto.tiff(isBigEndian: false)), png, webp, raf, cr3,
    SampleContainer(name: "heic", bytes: RealPhoto.heic.bytes),
    SampleContainer(name: "avif", bytes: RealPhoto.avif.bytes),
    SampleContainer(name: "jxl", bytes: RealPhoto.jxl.bytes),
  ]

  private static let exif = SamplePhoto.tiff(isBigEndian: true)
  private static let xmp = Array(SamplePhoto.packet.utf8)

  private static func big(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }

  private static let png: SampleContainer = {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] { big(data.count) + Array(type.utf8) + data + [0, 0, 0, 0] }
    let text = chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
    let header = chunk("IHDR", big(640) + big(480) + [8, 2, 0, 0, 0])
    return SampleContainer(
      name: "png",
      bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunk("eXIf", exif) + text + chunk("IEND", []))
  }()

  private static let webp: SampleContainer = {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      Array(type.utf8) + big(data.count).reversed() + data + (data.count % 2 == 0 ? [] : [0])
    }
    let parts =
      chunk("VP8X", [12, 0, 0, 0, 0x7F, 2, 0, 0xDF, 1, 0]) + chunk("VP8 ", Array(repeating: 7, count: 40))
      + chunk("VP8L", Array(repeating: 9, count: 41)) + chunk("EXIF", exif) + chunk("XMP ", xmp)
    return SampleContainer(name: "webp", bytes: chunk("RIFF", Array("WEBP".utf8) + parts))
  }()

  private static let raf: SampleContainer = {
    let jpeg = SamplePhoto.jpeg([SamplePhoto.exif(), SamplePhoto.xmp])
    let head = Array("FUJIFILMCCD-RAW ".utf8) + Array(repeating: 0, count: 68) + big(100) + big(jpeg.count)
    return SampleContainer(name: "raf", bytes: head + Array(repeating: 0, count: 8) + jpeg)
  }()

  private static let cr3: SampleContainer = {
    func box(_ type: String, _ data: [UInt8]) -> [UInt8] { big(data.count + 8) + Array(type.utf8) + data }
    let boxes = box("CMT1", exif) + box("CMT2", exif) + box("CMT4", exif)
    return SampleContainer(
      name: "cr3", bytes: box("ftyp", Array("crx ".utf8) + big(1)) + box("moov", box("uuid", boxes)))
  }()
}
