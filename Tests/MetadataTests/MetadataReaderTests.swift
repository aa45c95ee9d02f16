import Foundation
import Gallery
import Metadata
import TestLimit
import TestPhotos
import Testing

@Suite(.limited) struct MetadataReaderTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  @Test(arguments: [true, false]) func exifIsReadInBothByteOrders(isBigEndian: Bool) throws {
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([SamplePhoto.exif(isBigEndian: isBigEndian)]))
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 1_071_403_304.25, offset: -12_600)
    // The image is stored rotated by 90 degrees.
    (expected.width, expected.height, expected.orientation) = (480, 640, 6)
    (expected.camera, expected.lens) = ("Maker Model 1", "50 mm")
    (expected.exposureTime, expected.fNumber, expected.focalLength, expected.iso) = (0.005, 2.8, 50, 400)
    expected.place = PhotoMetadata.Place(latitude: -33.5, longitude: 151.25, altitude: -3)
    expected.caption = "Exif’s caption"
    expected.rating = 2
    #expect(metadata == expected)
  }

  @Test func theSizeOfTheFileIsRead() throws {
    let image = SamplePhoto.jpeg([])
    let reading = MetadataReader().metadata(of: FoundPhoto(path: try folder.write(image, as: "photo")))
    #expect(try reading.get().fileSize == image.count)
    #expect(try reading.get().kind == .image)
  }

  @Test func xmpComesBeforeIPTCAndIPTCBeforeExif() throws {
    let parts = [SamplePhoto.exif(), SamplePhoto.iptc, SamplePhoto.xmp]
    let all = try folder.metadata(of: SamplePhoto.jpeg(parts))
    #expect((all.title, all.caption, all.label, all.rating) == ("IPTC title", "XMP <caption> é", "Red", 4))
    #expect(all.keywords == ["a & b", "c"])
    #expect(all.camera == "Maker Model 1")
    let withoutXMP = try folder.metadata(of: SamplePhoto.jpeg([parts[0], parts[1]]))
    #expect((withoutXMP.title, withoutXMP.caption) == ("IPTC title", "Caf\u{E9}\nat noon"))
    #expect(withoutXMP.keywords == ["k1", "k2"])
  }

  @Test(arguments: [
    ("OLYMPUS DIGITAL CAMERA         ", nil), ("SONY DSC", nil), ("DCIM\\100MEDIA\\DJI_0001.JPG", nil),
    ("My digital camera", "My digital camera"),
  ])
  func theUsualCaptionsOfCamerasAreNone(written: String, caption: String?) throws {
    let packet = SamplePhoto.xmpSegment("<dc:description>\(written)</dc:description>")
    #expect(try folder.metadata(of: SamplePhoto.jpeg([packet])).caption == caption)
  }

  @Test(
    arguments: [
      ("<xmp:Rating>3.0</xmp:Rating>", 3, nil, []),
      ("<a xap:Rating='2' xap:Label='Blue'/>", 2, "Blue", []),
      ("<a xmp:Rating='0' digiKam:PickLabel='1' digiKam:ColorLabel='2'/>", -1, "Orange", []),
      ("<a xmp:Rating='4' xmpDM:pick='-1'/>", 4, nil, []),
      ("<a xmpDM:pick='-1' MicrosoftPhoto:Rating='99'/>", -1, nil, []),
      ("<a MicrosoftPhoto:Rating='75'/>", 4, nil, []),
      ("<a MicrosoftPhoto_1_:Rating='25'/>", 2, nil, []),
      ("<darktable:colorlabels><rdf:li>7</rdf:li><rdf:li>4</rdf:li></darktable:colorlabels>", nil, "Purple", []),
      ("<a xmp:Label='' digiKam:ColorLabel='1'/>", nil, nil, []),
      ("<xmp:Label/><a digiKam:ColorLabel='1'/>", nil, nil, []),
      ("<a digiKam:ColorLabel='10'/>", nil, nil, []),
      ("<digiKam:TagsList><rdf:li>a/b</rdf:li><rdf:li>c</rdf:li></digiKam:TagsList>", nil, nil, ["b", "c"]),
      ("<lr:hierarchicalSubject><rdf:li>a|b</rdf:li></lr:hierarchicalSubject>", nil, nil, ["b"]),
      ("<dc:subject/><lr:hierarchicalSubject><rdf:li>a|b</rdf:li></lr:hierarchicalSubject>", nil, nil, []),
    ] as [(String, Int?, String?, [String])])
  func theDecisionsOfOtherProgramsAreRead(packet: String, rating: Int?, label: String?, keywords: [String]) throws {
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([SamplePhoto.xmpSegment(packet)]))
    #expect((metadata.rating, metadata.label) == (rating, label))
    #expect(metadata.keywords == keywords)
  }

  /// Photoshop wrote the older prefix for years.
  @Test(arguments: ["xmp", "xap"]) func theTimeOfXMPIsReadByBothPrefixes(prefix: String) throws {
    let packet = SamplePhoto.xmpSegment("<a \(prefix):CreateDate='2003-12-14T12:01:44+01:00'/>")
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([packet]))
    #expect(metadata.takenAt == CaptureTime(clock: 1_071_403_304, offset: 3600))
  }

  @Test func bytesBetweenTheSegmentsOfAJPEGAreSkipped() throws {
    let gap: [UInt8] = [0, 0xFF, 0, 7, 0xD0]
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([SamplePhoto.exif(), gap, SamplePhoto.xmp, gap]))
    #expect((metadata.camera, metadata.rating) == ("Maker Model 1", 4))
    #expect((metadata.width, metadata.height) == (480, 640))
  }

  /// Other programs mark their resources in other ways.
  @Test(arguments: ["8BIM", "AgHg", "DCSR", "MeSa", "PHUT"])
  func resourcesBehindThoseOfOtherProgramsAreRead(mark: String) throws {
    let packet = Array("<xmp:Label>Red</xmp:Label>".utf8)
    let other = Array(mark.utf8) + [0x0F, 0xA0, 0, 0, 0, 0, 0, 2, 1, 2]
    let resources = other + Array("8BIM".utf8) + [0x04, 0x24, 0, 0, 0, 0, 0, UInt8(packet.count)] + packet
    let head = Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0xE0, 0, 0, 2, 0x80, 0, 8, 0, 3]
    let file = head + [0, 0, 0, 0, 0, 0, 0, UInt8(resources.count)] + resources + [0, 0, 0, 0, 0, 0]
    let metadata = try folder.metadata(of: file)
    #expect((metadata.label, metadata.width, metadata.height) == ("Red", 640, 480))
  }

  @Test func aSidecarComesFirst() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:Rating='-1' xmp:Label="Blue"
       exif:GPSLatitude="59,30.0N" exif:GPSLongitude="10,15,36W" photoshop:DateCreated="2020-02-29T10:20">
       <dc:title><rdf:Alt><rdf:li xml:lang="de">Titel</rdf:li><rdf:li xml:lang="x-default">Title</rdf:li></rdf:Alt>
       </dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let sidecar = try folder.write(Array(text.utf8), as: "photo.xmp")
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([SamplePhoto.exif(), SamplePhoto.xmp]), sidecar: sidecar)
    #expect(
      (metadata.rating, metadata.label, metadata.title, metadata.caption) == (-1, "Blue", "Title", "XMP <caption> é"))
    #expect(metadata.place == PhotoMetadata.Place(latitude: 59.5, longitude: -10.26))
    #expect(metadata.takenAt == CaptureTime(clock: 1_582_971_600))
    #expect(metadata.iso == 400)
  }

  /// Otherwise, removing the last keyword of a photo that has it in its file would change nothing.
  @Test func anEmptyValueInTheSidecarCounts() throws {
    let packet = "<dc:subject/><xmp:Label/><dc:description><rdf:Alt><rdf:li/></rdf:Alt></dc:description>"
    let sidecar = try folder.write(Array(packet.utf8), as: "photo.xmp")
    let own = SamplePhoto.xmpSegment(
      "<dc:subject><rdf:li>own</rdf:li></dc:subject><xmp:Label>Red</xmp:Label><dc:description>Own</dc:description>")
    let alone = try folder.metadata(of: SamplePhoto.jpeg([own]))
    #expect((alone.keywords, alone.label, alone.caption) == (["own"], "Red", "Own"))
    let metadata = try folder.metadata(of: SamplePhoto.jpeg([own]), sidecar: sidecar)
    #expect((metadata.keywords, metadata.label, metadata.caption) == ([], nil, nil))
  }

  /// The texts that people write come from XMP, then from IPTC, and only then from Exif, where cameras write a name.
  @Test func textsAreReadFromEachKindOfMetadata() throws {
    var tiff = TIFF(isBigEndian: true)
    tiff.add([.text(0x013B, "Camera owner"), .text(0x8298, "Exif rights")])
    let exif = SamplePhoto.exif(tiff)
    let iptc = SamplePhoto.iptc(
      [(80, "Ana"), (80, "Ben"), (90, "Oslo"), (100, "NOR"), (101, "Norway"), (110, "Agency")].map {
        ($0, Array($1.utf8))
      })
    let xmp = SamplePhoto.xmpSegment(
      """
      <a photoshop:City='Bergen'/><dc:creator><rdf:Seq><rdf:li>Cleo</rdf:li><rdf:li>Dan</rdf:li></rdf:Seq></dc:creator>
      <Iptc4xmpCore:Location>Harbor</Iptc4xmpCore:Location>
      """)
    func texts(_ segments: [[UInt8]], sidecar: String? = nil) throws -> [String?] {
      let path = try sidecar.map { try folder.write(Array($0.utf8), as: "photo.xmp") }
      let metadata = try folder.metadata(of: SamplePhoto.jpeg(segments), sidecar: path)
      return IPTCText.all.filter { ![.title, .altText].contains($0.decision) }.map { $0.value(of: metadata) }
    }
    #expect(try texts([exif]) == ["Camera owner", "Exif rights"] + Array(repeating: nil, count: 7))
    #expect(
      try texts([exif, iptc]) == ["Ana; Ben", "Exif rights", "Agency", nil, nil, "Oslo", nil, "Norway", "NOR"])
    #expect(
      try texts([exif, xmp, iptc])
        == ["Cleo; Dan", "Exif rights", "Agency", nil, "Harbor", "Bergen", nil, "Norway", "NOR"])
    // An empty text in the sidecar hides that of the file.
    #expect(
      try texts([exif, xmp, iptc], sidecar: "<dc:creator/><dc:rights/><a photoshop:City='Rome' photoshop:Credit=''/>")
        == [nil, nil, nil, nil, "Harbor", "Rome", nil, "Norway", "NOR"])
  }

  @Test func aPropertyHasNoMoreThanAThousandValues() throws {
    let keywords = (1...1001).map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let metadata = try folder.metadata(
      of: SamplePhoto.jpeg([SamplePhoto.xmpSegment("<dc:subject>\(keywords)</dc:subject>")]))
    #expect(metadata.keywords == (1...1000).map { "\($0)" })
  }

  @Test(arguments: [
    ("NIKON CORPORATION", "NIKON D750", "NIKON D750"), ("OLYMPUS IMAGING CORP.", "E-PL3", "OLYMPUS E-PL3"),
    ("EASTMAN KODAK COMPANY", "KODAK CX7530", "KODAK CX7530"), ("Minolta Co., Ltd.", "DiMAGE Z1", "Minolta DiMAGE Z1"),
    ("RICOH IMAGING COMPANY, LTD.", "PENTAX K-3 II", "RICOH PENTAX K-3 II"), ("Imaging", "One", "Imaging One"),
  ])
  func aCameraHasItsBrandOnce(make: String, model: String, camera: String) throws {
    let packet = SamplePhoto.xmpSegment("<tiff:Make>\(make)</tiff:Make><tiff:Model>\(model)</tiff:Model>")
    #expect(try folder.metadata(of: SamplePhoto.jpeg([packet])).camera == camera)
  }

  @Test func emptyMissingAndIncompleteFilesAreDistinguished() throws {
    let whole = SamplePhoto.jpeg([SamplePhoto.exif()])
    let paths = [
      try folder.write(whole, as: "whole.jpg"), try folder.write(whole.dropLast(40), as: "cut.jpg"),
      try folder.write([], as: "empty.jpg"),
      try folder.write(whole + Array(repeating: 7, count: 5000), as: "trailer.jpg"),
      try folder.write(Array("hello".utf8), as: "text.jpg"), folder.path, folder.path.appending("gone.jpg".utf8),
      try folder.write(whole.prefix(120), as: "head.jpg"),
    ]
    let results = paths.map { MetadataReader().metadata(of: FoundPhoto(path: $0)) }
    #expect(try [0, 1, 3, 7].map { try results[$0].get().isCutOff } == [false, true, false, true])
    let faults = [2, 4, 5, 6].map { results[$0] }
    #expect(faults == [PhotoFault.empty, .notAnImage, .notAnImage, .missing].map { .failure($0) })
  }

  private static let exiftool = "/usr/bin/exiftool"
  private static let canCompare =
    FileManager.default.isExecutableFile(atPath: exiftool)
    && FileManager.default.fileExists(atPath: TestPhotos.corpora)

  /// The values that exiftool reads from a file, by its names of the tags and their groups.
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
  func photosOfManyCamerasHaveTheValuesThatExiftoolFinds() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Self.exiftool)
    process.arguments = ["-json", "-n", "-G1", "\(TestPhotos.corpora)/exif"]
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    process.environment = ["TZ": "UTC", "PATH": "/usr/bin:/bin"]
    try process.run()
    let references = try JSONDecoder().decode([Reference].self, from: output.fileHandleForReading.readToEnd() ?? Data())
    #expect(references.count >= 10)
    for reference in references {
      try compare(MetadataReader().metadata(of: FoundPhoto(path: FilePath(reference.path))).get(), reference)
    }
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
      // exiftool gives ten digits, and 0 for an unknown value.
      #expect(abs((ours ?? 0) - (theirs ?? 0)) < 1e-6, comment)
    }
    #expect(metadata.iso == reference.iso, comment)
  }
}
