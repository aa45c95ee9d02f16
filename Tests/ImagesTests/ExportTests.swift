import Foundation
import Gallery
import ImageWire
import Metadata
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Exports by the worker, whose new files the worker then reads.
@MainActor
@Suite(.limited) final class ExportTests {
  private let folder: ImageFolder
  private let exporter: PhotoExporter

  init() throws {
    folder = try ImageFolder()
    exporter = PhotoExporter(workerPath: folder.workerPath, workerCount: 1)
  }

  private struct Failed: Error { let outcome: ExportOutcome }

  private func outcome(
    _ photo: FilePath, _ specification: ExportSpecification, shown: PhotoMetadata = PhotoMetadata(),
    as name: String = "new", isNumbering: Bool = true
  ) async -> ExportOutcome {
    await exporter.export(
      photo, shown: shown, as: specification, to: folder.path.appending(name.utf8), isNumbering: isNumbering)
  }

  /// Exports a file, and returns the path and the pixels of the new one.
  private func export(
    _ photo: FilePath, shown: PhotoMetadata = PhotoMetadata(), _ change: (inout ExportSpecification) -> Void = { _ in }
  ) async throws -> (path: FilePath, image: DecodedImage, bytes: [UInt8]) {
    var specification = ExportSpecification()
    specification.sharpening = .none
    change(&specification)
    let outcome = await outcome(photo, specification, shown: shown)
    guard case .exported(let path, let exported) = outcome else { throw Failed(outcome: outcome) }
    let image = try DecodedImage(await folder.answer(path, columns: 2000))
    #expect((exported.width, exported.height) == (image.info.width, image.info.height))
    let bytes = Array(try Data(contentsOf: URL(filePath: path.printable)))
    #expect(exported.bytes == bytes.count)
    return (path, image, bytes)
  }

  private func write(_ bytes: [UInt8]) throws -> FilePath { try folder.write(bytes) }

  // MARK: - Images

  private nonisolated static let formats = ExportSpecification.Format.allCases

  @Test(arguments: formats) func everyFormatHasTheImage(format: ExportSpecification.Format) async throws {
    let photo = FilePath(TestPhotos.path("chelsea.jpg"))
    let original = try DecodedImage(await folder.answer(photo, columns: 2000))
    let (path, image, _) = try await export(photo) { $0.format = format }
    #expect(ImageFormat(head: path.head(4096)[...]) == Self.imageFormats[format])
    #expect((image.pixels.width, image.pixels.height) == (original.pixels.width, original.pixels.height))
    let difference = zip(image.pixels.rgb, original.pixels.rgb).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(image.pixels.rgb.count) < 4, "\(format)")
  }

  private nonisolated static let imageFormats: [ExportSpecification.Format: ImageFormat] = [
    .jpeg: .jpeg, .png: .png, .webp: .webp, .avif: .heif, .jxl: .jxl,
  ]

  /// Blocks whose colors tell them apart: three by two of 16 pixels.
  private nonisolated static let patches: [[BlockJPEG.Color]] = (0..<4).map { row in
    (0..<6).map { column in (red: 60 + column / 2 * 60, green: 60 + row / 2 * 100, blue: column < 2 ? 200 : 60) }
  }

  @Test(arguments: 1...8) func thePhotoIsUprightAndSaysSo(orientation: Int) async throws {
    let stored = BlockJPEG(Self.patches, storedFor: orientation).bytes(orientation: orientation)
    var shown = PhotoMetadata()
    shown.orientation = orientation
    let (path, image, _) = try await export(try write(stored), shown: shown) {
      $0.format = .png
      $0.metadata = .all
    }
    #expect((image.pixels.width, image.pixels.height) == (48, 32))
    for (row, colors) in Self.patches.enumerated() {
      for (column, color) in colors.enumerated() {
        let found = image[column * 8 + 4, row * 8 + 4]
        #expect(abs(found >> 16 - color.red) + abs(found >> 8 & 255 - color.green) < 12, "\(column), \(row)")
      }
    }
    #expect(try metadata(of: path).orientation == nil)
  }

  /// The middle third of the upper half. The decision is about the stored image.
  @Test(arguments: 1...8) func theCropOfTheUserIsApplied(orientation: Int) async throws {
    let stored = BlockJPEG(Self.patches, storedFor: orientation).bytes(orientation: orientation)
    var shown = PhotoMetadata()
    shown.orientation = orientation
    let upright = PhotoCrop(x: 1.0 / 3, y: 0, width: 1.0 / 3, height: 0.5)
    shown.crop = upright.stored(try #require(ImageOrientation(rawValue: orientation))).text
    let (_, image, _) = try await export(try write(stored), shown: shown) { $0.format = .png }
    #expect((image.pixels.width, image.pixels.height) == (16, 16))
    let color = Self.patches[0][2]
    let found = image[8, 8]
    #expect(abs(found >> 16 - color.red) + abs(found >> 8 & 255 - color.green) < 12)
  }

  /// The user has rotated the photo by a quarter, which its sidecar says.
  @Test func theRotationOfTheUserIsApplied() async throws {
    var shown = PhotoMetadata()
    shown.orientation = 6
    shown.chosenOrientation = 3
    let stored = BlockJPEG(Self.patches, storedFor: 6).bytes(orientation: 6)
    let (_, image, _) = try await export(try write(stored), shown: shown) { $0.format = .png }
    #expect((image.pixels.width, image.pixels.height) == (32, 48))
    // The lower left corner is at the upper left one.
    let color = Self.patches[3][0]
    #expect(abs(image[4, 4] >> 16 - color.red) + abs(image[4, 4] >> 8 & 255 - color.green) < 12)
  }

  @Test func aCropAndABoxCutTheSides() async throws {
    let photo = try write(BlockJPEG(Self.patches).bytes(orientation: nil))
    let (_, cropped, _) = try await export(photo) {
      $0.format = .png
      $0.crop = PhotoCrop(x: 1.0 / 3, y: 0.5, width: 1.0 / 3, height: 0.5)
    }
    #expect((cropped.pixels.width, cropped.pixels.height) == (16, 16))
    #expect(abs(cropped[8, 8] >> 16 - 120) < 8 && abs(cropped[8, 8] >> 8 & 255 - 160) < 8)
    let (_, boxed, _) = try await export(photo) {
      $0.format = .png
      $0.size = .box(width: 64, height: 64)
    }
    #expect((boxed.pixels.width, boxed.pixels.height) == (64, 64))
    // A third of the photo is cut off at the sides.
    #expect(abs(boxed[4, 4] >> 16 - 60) < 8 && abs(boxed[60, 60] >> 16 - 180) < 8)
  }

  /// Half of the light is 188 in sRGB, and 128 in a profile that is linear in light.
  @Test(arguments: formats) func colorsAreConvertedOrKeptWithTheirProfile(format: ExportSpecification.Format)
    async throws
  {
    let profile = SampleImage.linearProfile(isGray: false)
    let rgb = [UInt8](repeating: 128, count: 64 * 64 * 3)
    let photo = try write(SampleImage.png(64, 64, rgb: rgb, profile: profile))
    let (_, converted, _) = try await export(photo) { $0.format = format }
    #expect(abs(converted[32, 32] & 0xFF - 188) <= 2, "\(converted[32, 32] & 0xFF)")
    let (_, kept, bytes) = try await export(photo) {
      $0.format = format
      $0.keepsColors = true
    }
    #expect(abs(kept[32, 32] & 0xFF - 188) <= 2, "\(kept[32, 32] & 0xFF)")
    // PNG and JPEG XL compress the profile.
    if format != .png, format != .jxl { #expect(bytes.firstRange(of: profile) != nil) }
    let (_, gray, _) = try await export(try write(SampleImage.png(64, 64, rgb: rgb))) {
      $0.format = format
      $0.keepsColors = true
    }
    #expect(abs(gray[32, 32] & 0xFF - 128) <= 2, "\(gray[32, 32] & 0xFF)")
  }

  @Test func sharpeningLeavesTheColorsOfAreas() async throws {
    let photo = FilePath(TestPhotos.path("coffee.jpg"))
    func contrast(_ image: DecodedImage) -> (edges: Int, sum: Int) {
      let rgb = image.pixels.rgb
      let edges = (3..<rgb.count).reduce(0) { $0 + abs(Int(rgb[$1]) - Int(rgb[$1 - 3])) }
      return (edges, rgb.reduce(0) { $0 + Int($1) })
    }
    var last = 0
    var sums: [Int] = []
    for sharpening in ExportSpecification.Sharpening.allCases {
      let (_, image, _) = try await export(photo) {
        $0.format = .png
        $0.size = .longEdge(300)
        $0.sharpening = sharpening
      }
      let (edges, sum) = contrast(image)
      #expect(edges > last, "\(sharpening)")
      last = edges
      sums.append(sum / image.pixels.rgb.count)
    }
    #expect(Set(sums).count <= 2, "\(sums)")
  }

  @Test(arguments: [UInt8(0), 128, 255]) func aWatermarkCanBeReadOnAnyGround(shade: UInt8) async throws {
    let photo = try write(SampleImage.png(400, 300, rgb: Array(repeating: shade, count: 400 * 300 * 3)))
    let (_, image, _) = try await export(photo) {
      $0.format = .png
      $0.watermark = "© A <&> B"
    }
    let shades = image.rows.suffix(60).flatMap { $0.suffix(200) }.map { $0 & 0xFF }
    let (least, most) = (shades.min() ?? 0, shades.max() ?? 0)
    #expect(most - least > 90, "\(least) to \(most)")
    // Everywhere else, the image is the same.
    #expect(image.rows.prefix(200).allSatisfy { $0.allSatisfy { $0 & 0xFF == Int(shade) } })
  }

  // MARK: - Sizes

  @Test(arguments: [ExportSpecification.Format.jpeg, .webp, .avif, .jxl])
  func aLimitGivesTheBestFileBelowIt(format: ExportSpecification.Format) async throws {
    let photo = FilePath(TestPhotos.path("chelsea.jpg"))
    let (_, _, bytes) = try await export(photo) {
      $0.format = format
      $0.quality = .limit(bytes: 12_000)
    }
    #expect(bytes.count <= 12_000 && bytes.count > 9000, "\(bytes.count)")
  }

  @Test func aLimitThatIsTooLowIsAFault() async throws {
    var specification = ExportSpecification()
    specification.quality = .limit(bytes: 500)
    let outcome = await outcome(FilePath(TestPhotos.path("chelsea.jpg")), specification)
    guard case .failed(.notExported(.tooLarge(let bytes))) = outcome else { throw Failed(outcome: outcome) }
    #expect(bytes > 500 && bytes < 20_000)
    #expect(try names == ["worker"])
  }

  // MARK: - Names and faults

  /// The names in the folder.
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path.printable).sorted() }
  }

  @Test func noFileIsReplaced() async throws {
    let photo = FilePath(TestPhotos.path("dahlia.jpg"))
    try Data("mine".utf8).write(to: URL(filePath: folder.path.printable + "/a.jpg"))
    let specification = ExportSpecification()
    #expect(await outcome(photo, specification, as: "a.jpg", isNumbering: false) == .skipped)
    for wanted in ["a-2.jpg", "a-3.jpg"] {
      guard case .exported(let path, _) = await outcome(photo, specification, as: "a.jpg") else {
        Issue.record("not exported")
        return
      }
      #expect(path == folder.path.appending(wanted.utf8))
    }
    #expect(try names == ["a-2.jpg", "a-3.jpg", "a.jpg", "worker"])
    #expect(FileManager.default.contents(atPath: folder.path.printable + "/a.jpg") == Data("mine".utf8))
  }

  /// As on FAT, whose files always have names.
  @Test func aFileSystemWithoutNamelessFilesLeavesNothing() async throws {
    for (name, isNumbering) in [("b.jpg", true), ("b.jpg", false)] {
      let destination = try ExportDestination(in: folder.path, isNameless: false)
      #expect(try names.contains { $0.hasPrefix(".tintype-") })
      let path = try await destination.finish(as: folder.path.appending(name.utf8), isNumbering: isNumbering)
      destination.discard()
      #expect(path == (isNumbering ? folder.path.appending(name.utf8) : nil))
    }
    #expect(try names == ["b.jpg", "worker"])
  }

  @Test func damagedPhotosAreNotExported() async throws {
    let whole = try Data(contentsOf: URL(filePath: TestPhotos.path("chelsea.jpg")))
    let cut = try folder.write(whole.prefix(whole.count / 2), as: "cut.jpg")
    let text = try folder.write(Array("text".utf8), as: "text.jpg")
    let specification = ExportSpecification()
    #expect(await outcome(cut, specification) == .failed(.incomplete))
    #expect(await outcome(text, specification) == .failed(.unknownFormat))
    #expect(await outcome(folder.path.appending("gone.jpg".utf8), specification) == .failed(.missing))
    #expect(await outcome(folder.path, specification) == .failed(.notAFile))
    let elsewhere = await outcome(FilePath(TestPhotos.path("chelsea.jpg")), specification, as: "no/a.jpg")
    guard case .failed(.notExported(.unwritable)) = elsewhere else { throw Failed(outcome: elsewhere) }
    #expect(try names == ["cut.jpg", "text.jpg", "worker"])
  }

  // MARK: - Metadata

  private func metadata(of path: FilePath) throws -> PhotoMetadata {
    try MetadataReader().metadata(of: FoundPhoto(path: path)).get()
  }

  /// A photo with Exif, XMP and IPTC, a maker's note, and a thumbnail, which all have the place.
  private func describedPhoto() throws -> FilePath {
    let photo = Array(try Data(contentsOf: URL(filePath: TestPhotos.path("dahlia.jpg"))))
    var tiff = TIFF(isBigEndian: true)
    tiff.add([
      .text(0x010E, "Secretville at noon"), .text(0x010F, "Maker Inc."), .text(0x0110, "Model 1"), .short(0x0112, 1),
      .text(0x013B, "Ada"), .text(0x8298, "© Ada"), .directory(0x8769), .directory(0x8825),
    ])
    tiff.add([
      .fractions(0x829A, [(1, 200)]), .text(0x9003, "2003:12:14 12:01:44"),
      .raw(0x927C, type: 7, count: 22, Array("Maker note Secretville".utf8)),
      .raw(0x9286, type: 7, count: 19, Array("ASCII\0\0\0Secretville".utf8)), .text(0xA434, "50 mm"),
    ])
    tiff.add([
      .text(1, "S"), .fractions(2, [(33, 1), (30, 1), (777_777, 1_000_000)]), .text(3, "E"),
      .fractions(4, [(151, 1), (15, 1), (0, 1)]),
    ])
    let packet = """
      <x:xmpmeta><rdf:RDF><rdf:Description xmp:Rating="1" photoshop:City="Secretville" exif:GPSLatitude="33,30.5S">
      <Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="Secretville"/></rdf:Bag></Iptc4xmpExt:LocationShown>
      <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ada &amp; Co</rdf:li></rdf:Alt></dc:rights>
      <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator>
      <dc:subject><rdf:Bag><rdf:li>old</rdf:li></rdf:Bag></dc:subject>
      <lr:hierarchicalSubject><rdf:Bag><rdf:li>all|old</rdf:li></rdf:Bag></lr:hierarchicalSubject>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let segments = SamplePhoto.exif(tiff) + SamplePhoto.xmpSegment(packet) + SamplePhoto.iptc
    return try write(photo[..<2] + segments + photo[2...])
  }

  private var decided: PhotoMetadata {
    var shown = PhotoMetadata()
    (shown.rating, shown.label, shown.keywords) = (4, "Red", ["a & b", "<ü>"])
    (shown.title, shown.caption) = ("A title", "A caption\nof two lines")
    return shown
  }

  @Test(arguments: formats) func metadataAndDecisionsAreInEveryFormat(format: ExportSpecification.Format) async throws {
    let (path, image, bytes) = try await export(try describedPhoto(), shown: decided) {
      $0.format = format
      $0.metadata = .all
      $0.size = .longEdge(200)
    }
    let metadata = try metadata(of: path)
    #expect(metadata.camera == "Maker Model 1" && metadata.lens == "50 mm" && metadata.exposureTime == 1.0 / 200)
    #expect(metadata.takenAt == CaptureTime(metadata: "2003:12:14 12:01:44"))
    #expect((metadata.place?.latitude ?? 0) < -33.5 && metadata.place?.longitude == 151.25)
    #expect(metadata.rating == 4 && metadata.label == "Red" && metadata.keywords == ["a & b", "<ü>"])
    #expect(metadata.title == "A title" && metadata.caption == "A caption\nof two lines")
    #expect((metadata.width, metadata.height) == (image.info.width, image.info.height))
    #expect(!metadata.isCutOff)
    for text in ["Secretville at noon", "Maker note", "all|old", "LocationShown"] {
      #expect(bytes.firstRange(of: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test(arguments: formats) func noTraceOfThePlaceIsLeft(format: ExportSpecification.Format) async throws {
    for (kind, hasExif) in [(ExportSpecification.Metadata.withoutPlace, true), (.copyright, true), (.none, false)] {
      let (path, _, bytes) = try await export(try describedPhoto(), shown: decided) {
        $0.format = format
        $0.metadata = kind
        $0.size = .longEdge(200)
      }
      let metadata = try metadata(of: path)
      #expect(metadata.place == nil && (metadata.camera != nil) == (kind == .withoutPlace))
      #expect(metadata.rating == (kind == .withoutPlace ? 4 : nil))
      for text in ["Secretville", "GPS", "33,30.5", "Location"] {
        #expect(bytes.firstRange(of: Array(text.utf8)) == nil, "\(kind): \(text)")
      }
      #expect(bytes.firstRange(of: SampleImage.big(777_777, 4)) == nil)
      #expect((bytes.firstRange(of: Array("© Ada\0".utf8)) != nil) == hasExif)
      #expect((bytes.firstRange(of: Array("© Ada &amp; Co".utf8)) != nil) == hasExif)
    }
  }
}

extension ExportTests {
  private nonisolated static let exiftool = "/usr/bin/exiftool"

  /// exiftool finds no fault in the structures, and no tag that a table doesn't have.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: exiftool), "SKIPPED: exiftool is not installed"),
    arguments: ExportSpecification.Metadata.allCases)
  func exiftoolFindsNoFault(kind: ExportSpecification.Metadata) async throws {
    for format in ExportSpecification.Format.allCases {
      var specification = ExportSpecification()
      (specification.format, specification.metadata) = (format, kind)
      let target = folder.path.appending("\(format).\(format.suffix)".utf8)
      let outcome = await exporter.export(
        try describedPhoto(), shown: decided, as: specification, to: target, isNumbering: false)
      guard case .exported(let path, _) = outcome else { throw Failed(outcome: outcome) }
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: Self.exiftool)
      process.arguments = ["-validate", "-warning", "-error", "-a", "-S", path.printable]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text == "Validate: OK\n", "\(format), \(kind): \(text)")
    }
  }
}
