import Foundation
import Gallery
import Testing

@testable import Images

@MainActor
@Suite final class PhotoMetadataTests {
  private let folder: MetadataFolder
  private var workers: MetadataWorkers { folder.workers }

  init() throws { folder = try MetadataFolder() }

  private func write(_ bytes: some Collection<UInt8>, as name: String) throws -> FilePath {
    try folder.write(bytes, as: name)
  }

  private func result(_ path: FilePath, sidecar: FilePath? = nil) async -> Result<PhotoMetadata, PhotoFault> {
    await workers.metadata(of: [FoundPhoto(path: path, sidecar: sidecar)])[0]
  }

  private func metadata(_ bytes: [UInt8], sidecar: FilePath? = nil) async throws -> PhotoMetadata {
    try await result(write(bytes, as: "photo"), sidecar: sidecar).get()
  }

  @Test(arguments: [true, false]) func exifIsReadInBothByteOrders(isBigEndian: Bool) async throws {
    let metadata = try await metadata(SamplePhoto.jpeg([SamplePhoto.exif(isBigEndian: isBigEndian)]))
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 1_071_403_304.25, offset: -12_600)
    // The image is stored lying on its side.
    (expected.width, expected.height) = (480, 640)
    (expected.camera, expected.lens) = ("Maker Model 1", "50 mm")
    (expected.exposureTime, expected.fNumber, expected.focalLength, expected.iso) = (0.005, 2.8, 50, 400)
    expected.place = PhotoMetadata.Place(latitude: -33.5, longitude: 151.25, altitude: -3)
    expected.caption = "Exif’s caption"
    expected.rating = 2
    #expect(metadata == expected)
  }

  @Test func whatPersonsWriteCountsInTheOrderOfItsKinds() async throws {
    let parts = [SamplePhoto.exif(), SamplePhoto.iptc, SamplePhoto.xmp]
    let all = try await metadata(SamplePhoto.jpeg(parts))
    #expect((all.title, all.caption, all.label, all.rating) == ("IPTC title", "XMP <caption> é", "Red", 4))
    #expect(all.keywords == ["a & b", "c"])
    #expect(all.camera == "Maker Model 1")
    let withoutXMP = try await metadata(SamplePhoto.jpeg([parts[0], parts[1]]))
    #expect((withoutXMP.title, withoutXMP.caption) == ("IPTC title", "Caf\u{E9}\nat noon"))
    #expect(withoutXMP.keywords == ["k1", "k2"])
  }

  @Test func aSidecarCountsFirst() async throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:Rating='-1' xmp:Label="Blue"
       exif:GPSLatitude="59,30.0N" exif:GPSLongitude="10,15,36W" photoshop:DateCreated="2020-02-29T10:20">
       <dc:title><rdf:Alt><rdf:li xml:lang="de">Titel</rdf:li><rdf:li xml:lang="x-default">Title</rdf:li></rdf:Alt>
       </dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let sidecar = try write(Array(text.utf8), as: "photo.xmp")
    let metadata = try await metadata(SamplePhoto.jpeg([SamplePhoto.exif(), SamplePhoto.xmp]), sidecar: sidecar)
    #expect(
      (metadata.rating, metadata.label, metadata.title, metadata.caption) == (-1, "Blue", "Title", "XMP <caption> é"))
    #expect(metadata.place == PhotoMetadata.Place(latitude: 59.5, longitude: -10.26))
    #expect(metadata.takenAt == CaptureTime(clock: 1_582_971_600))
    #expect(metadata.iso == 400)
  }

  @Test(arguments: [
    ("NIKON CORPORATION", "NIKON D750", "NIKON D750"), ("OLYMPUS IMAGING CORP.", "E-PL3", "OLYMPUS E-PL3"),
    ("EASTMAN KODAK COMPANY", "KODAK CX7530", "KODAK CX7530"), ("Minolta Co., Ltd.", "DiMAGE Z1", "Minolta DiMAGE Z1"),
    ("RICOH IMAGING COMPANY, LTD.", "PENTAX K-3 II", "RICOH PENTAX K-3 II"), ("Imaging", "One", "Imaging One"),
  ])
  func camerasAreNamedByTheirBrand(make: String, model: String, camera: String) async throws {
    let packet = SamplePhoto.xmpSegment("<tiff:Make>\(make)</tiff:Make><tiff:Model>\(model)</tiff:Model>")
    #expect(try await metadata(SamplePhoto.jpeg([packet])).camera == camera)
  }

  @Test func whatTextsHoldIsPrintable() async throws {
    let packet = SamplePhoto.xmpSegment("<dc:title>a&#27;]0;b\u{202E}</dc:title><xmp:Label>\u{9B}c</xmp:Label>")
    let metadata = try await metadata(SamplePhoto.jpeg([packet]))
    #expect((metadata.title, metadata.label) == ("a\u{FFFD}]0;b\u{FFFD}", "\u{FFFD}c"))
  }

  @Test func filesAreToldFromEachOther() async throws {
    let whole = SamplePhoto.jpeg([SamplePhoto.exif()])
    let paths = [
      try write(whole, as: "whole.jpg"), try write(whole.dropLast(40), as: "cut.jpg"), try write([], as: "empty.jpg"),
      try write(whole + Array(repeating: 7, count: 5000), as: "trailer.jpg"),
      try write(Array("hello".utf8), as: "text.jpg"), folder.path, folder.path.appending("gone.jpg".utf8),
      try write(whole.prefix(120), as: "head.jpg"),
    ]
    let results = await workers.metadata(of: paths.map { FoundPhoto(path: $0) })
    #expect(try [0, 1, 3, 7].map { try results[$0].get().isCutOff } == [false, true, false, true])
    let faults = [2, 4, 5, 6].map { results[$0] }
    #expect(faults == [PhotoFault.empty, .notAnImage, .notAnImage, .missing].map { .failure($0) })
  }

  /// A file of nothing but markers was once looked through from each to its end.
  @Test func aFileOfMarkersIsReadInTime() async throws {
    var markers: [UInt8] = [0xFF, 0xC4, 0, 2]
    for _ in 0..<19 { markers += markers }
    let metadata = try await metadata(SamplePhoto.jpeg([SamplePhoto.exif()]).dropLast(2) + markers)
    #expect(metadata.camera == "Maker Model 1")
  }

  @Test func aWorkerThatCannotBeStartedIsTold() async throws {
    let none = MetadataWorkers(workerPath: "/nowhere/worker", workerCount: 1)
    let results = await none.metadata(of: [FoundPhoto(path: FilePath("/a")), FoundPhoto(path: FilePath("/b"))])
    #expect(results.count == 2)
    for case .failure(let fault) in results { #expect(fault.message.contains("reinstall Tintype")) }
  }

  /// `false` reads nothing and ends: what it was asked together is asked for one by one, and each has its answer.
  @Test func aWorkerThatBreaksDownIsToldOfEachFile() async throws {
    let broken = MetadataWorkers(workerPath: "/bin/false", workerCount: 2)
    let results = await broken.metadata(of: (0..<9).map { FoundPhoto(path: FilePath("/\($0)")) })
    #expect(results == Array(repeating: .failure(.harmful), count: 9))
  }

  @Test func requestsOfAnyLengthAreAnswered() async throws {
    let path = FilePath("/" + String(repeating: "long/", count: 800))
    let results = await workers.metadata(of: Array(repeating: FoundPhoto(path: path), count: 300))
    #expect(results == Array(repeating: .failure(.missing), count: 300))
  }

  private nonisolated static let exiftool = "/usr/bin/exiftool"
  private nonisolated static let canCompare =
    FileManager.default.isExecutableFile(atPath: exiftool)
    && FileManager.default.fileExists(atPath: ImageLoaderTests.corpora)

  /// What exiftool makes of a file, by its names of the tags and the groups that they are in.
  private struct Reference: Decodable {
    let path: String
    let width, height: Int
    let orientation: Int?
    let takenAt, model: String?
    let exposureTime, fNumber, focalLength: Double?
    let iso: Int?

    enum CodingKeys: String, CodingKey {
      case path = "SourceFile"
      case width = "File:ImageWidth"
      case height = "File:ImageHeight"
      case orientation = "IFD0:Orientation"
      case takenAt = "ExifIFD:DateTimeOriginal"
      case model = "IFD0:Model"
      case exposureTime = "ExifIFD:ExposureTime"
      case fNumber = "ExifIFD:FNumber"
      case focalLength = "ExifIFD:FocalLength"
      case iso = "ExifIFD:ISO"
    }
  }

  @Test(.enabled(if: canCompare, "SKIPPED: no test corpora, or no exiftool"))
  func photosOfManyCamerasSayWhatExiftoolFinds() async throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Self.exiftool)
    process.arguments = ["-json", "-n", "-G1", "\(ImageLoaderTests.corpora)/exif"]
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    process.environment = ["TZ": "UTC", "PATH": "/usr/bin:/bin"]
    try process.run()
    let references = try JSONDecoder().decode([Reference].self, from: output.fileHandleForReading.readToEnd() ?? Data())
    #expect(references.count >= 10)
    let results = await workers.metadata(of: references.map { FoundPhoto(path: FilePath($0.path)) })
    for (reference, result) in zip(references, results) { try compare(result.get(), reference) }
  }

  private func compare(_ metadata: PhotoMetadata, _ reference: Reference) {
    let comment = Comment(rawValue: reference.path)
    let isTurned = (reference.orientation ?? 1) > 4
    let size = (reference.width, reference.height)
    #expect((metadata.width, metadata.height) == (isTurned ? (size.1, size.0) : size), comment)
    let time = metadata.takenAt.map { Date(timeIntervalSince1970: $0.clock).formatted(.iso8601) }
    #expect(time?.filter(\.isNumber) == reference.takenAt?.filter(\.isNumber), comment)
    #expect(metadata.camera?.hasSuffix(reference.model ?? "?") ?? (reference.model == nil), comment)
    for (ours, theirs) in [
      (metadata.exposureTime, reference.exposureTime), (metadata.fNumber, reference.fNumber),
      (metadata.focalLength, reference.focalLength),
    ] {
      // It gives ten digits, and 0 where nothing is known.
      #expect(abs((ours ?? 0) - (theirs ?? 0)) < 1e-6, comment)
    }
    #expect(metadata.iso == reference.iso, comment)
  }
}
