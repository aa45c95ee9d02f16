import Foundation
import Gallery
import Testing
import Torture

@testable import Images

/// What reads files' metadata, given thousands of damaged ones.
@MainActor
@Suite(.timeLimit(.minutes(10))) final class MetadataFuzzTests {
  private let folder: MetadataFolder
  private var workers: MetadataWorkers { folder.workers }

  init() throws { folder = try MetadataFolder() }

  nonisolated private static let perBlock = 60

  /// Damage that made a worker fail is named by the format and its seed; the file is made anew from these.
  @Test(arguments: SampleContainer.all, Torture.blocks(4, long: 50))
  func damagedFilesHarmNobodyTorture(sample: SampleContainer, block: Int) async throws {
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
    // The whole one tells that it is read at all.
    #expect(try results.last?.get().camera == "Maker Model 1")
    for (seed, result) in zip(seeds, results) { #expect(result != .failure(.harmful), "\(sample.name), seed \(seed)") }
  }
}

/// A file of each format that metadata are read of, with Exif and, where it may have it, XMP.
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
