import CZlib
import Foundation
import Gallery
import TestLimit
import TestPhotos
import Testing

/// The place where a photo was taken, by tags of the right type and of wrong ones, and the text chunks of PNG files.
@Suite(.limited) struct MetadataTypesTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private func metadata(_ bytes: [UInt8]) throws -> PhotoMetadata { try folder.metadata(of: bytes) }

  private func place(_ fields: [TIFF.Field], isBigEndian: Bool = true) throws -> PhotoMetadata.Place? {
    var tiff = TIFF(isBigEndian: isBigEndian)
    tiff.add([.directory(0x8825)])
    tiff.add(fields)
    return try metadata(SamplePhoto.jpeg([SamplePhoto.exif(tiff)])).place
  }

  private static let latitude = TIFF.Field.fractions(2, [(33, 1), (30, 1), (36, 1)])
  private static let longitude = TIFF.Field.fractions(4, [(151, 1), (15, 1), (0, 1)])

  @Test(arguments: ["N", "S"], ["E", "W"])
  func eachQuarterOfTheEarthHasItsSigns(latitude: String, longitude: String) throws {
    let expected = PhotoMetadata.Place(
      latitude: latitude == "N" ? 33.51 : -33.51, longitude: longitude == "E" ? 151.25 : -151.25)
    for isBigEndian in [true, false] {
      let place = try place(
        [.text(1, latitude), Self.latitude, .text(3, longitude), Self.longitude], isBigEndian: isBigEndian)
      #expect(place == expected)
    }
    let packet = SamplePhoto.xmpSegment(
      "<rdf:Description exif:GPSLatitude='33,30.6\(latitude)' exif:GPSLongitude='151,15,0\(longitude)'/>")
    #expect(try metadata(SamplePhoto.jpeg([packet])).place == expected)
  }

  /// Fields each of which would give a wrong place.
  private static let wrongPlaces: [[TIFF.Field]] = [
    [.text(1, "N"), .raw(2, type: 3, count: 3, [0, 33, 0, 30, 0, 36]), .text(3, "E"), longitude],
    [.text(1, "N"), .raw(2, type: 1, count: 3, [33, 30, 36]), .text(3, "E"), longitude],
    [.text(1, "N"), latitude, .text(3, "E"), .text(4, "151")],
    [.text(1, "N"), latitude, .text(3, "E"), .raw(4, type: 4, count: 1, [0, 0, 0, 151])],
    [.short(1, 0x4E00), latitude, .text(3, "E"), longitude],
    [latitude, longitude], [.text(1, "N"), latitude, longitude], [.text(1, "N"), latitude, .text(3, "N"), longitude],
    [.text(1, "N"), .fractions(2, [(33, 1), (75, 1)]), .text(3, "E"), longitude],
    [.text(1, "N"), .fractions(2, [(95, 1)]), .text(3, "E"), longitude],
    [.text(1, "N"), .raw(2, type: 10, count: 1, [0xFF, 0xFF, 0xFF, 0xDF, 0, 0, 0, 1]), .text(3, "E"), longitude],
    [.text(1, "N"), .fractions(2, [(0, 0), (0, 0), (0, 0)]), .text(3, "E"), longitude],
  ]

  @Test(arguments: wrongPlaces)
  func aPlaceInAnotherFormThanExifDefinesIsUnknown(fields: [TIFF.Field]) throws {
    #expect(try place(fields) == nil)
  }

  /// Cameras that don't know where they are write zeros for both coordinates. With a single zero, the place is known.
  @Test func zeroDegreesNorthAndEastIsUnknown() throws {
    let (zero, one) = ([(0, 1), (0, 1), (0, 1)], [(1, 1), (0, 1), (0, 1)])
    #expect(try place([.text(1, "N"), .fractions(2, zero), .text(3, "E"), .fractions(4, zero)]) == nil)
    #expect(
      try place([.text(1, "N"), .fractions(2, zero), .text(3, "W"), .fractions(4, one)])
        == PhotoMetadata.Place(latitude: 0, longitude: -1))
    let packet = SamplePhoto.xmpSegment("<a exif:GPSLatitude='0,0.0N' exif:GPSLongitude='0,0.0E'/>")
    #expect(try metadata(SamplePhoto.jpeg([packet])).place == nil)
    let swapped = SamplePhoto.xmpSegment("<a exif:GPSLatitude='10,0.0E' exif:GPSLongitude='20,0.0N'/>")
    #expect(try metadata(SamplePhoto.jpeg([swapped])).place == nil)
  }

  @Test func tagsOfAnotherTypeAreIgnored() throws {
    var tiff = TIFF(isBigEndian: true)
    tiff.add([.directory(0x8769), .short(0x010F, 0x4142), .fractions(0x0112, [(6, 1)])])
    tiff.add([.short(0x829D, 28), .text(0x8827, "400"), .fractions(0x9003, [(2003, 1)]), .byte(0x829A, 1)])
    #expect(try metadata(SamplePhoto.jpeg([SamplePhoto.exif(tiff)])) == metadata(SamplePhoto.jpeg([])))
  }

  /// The other tags have values of other standards, and the sensitivity only if the first one can't hold it.
  @Test(arguments: [(400, 400), (65_535, 102_400)])
  func theSensitivityIsThatOfTheFirstTagThatHoldsIt(first: Int, iso: Int) throws {
    var tiff = TIFF(isBigEndian: true)
    tiff.add([.directory(0x8769)])
    tiff.add([.short(0x8827, first), .short(0x8830, 2), .raw(0x8832, type: 4, count: 1, [0, 1, 0x90, 0])])
    #expect(try metadata(SamplePhoto.jpeg([SamplePhoto.exif(tiff)])).iso == iso)
  }

  // PNG (W3C, third edition).

  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    let content = Array(type.utf8) + data
    let sum = content.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    return number(UInt32(data.count)) + content + number(UInt32(sum))
  }

  private func png(_ chunks: [[UInt8]]) -> [UInt8] {
    let header = chunk("IHDR", [0, 0, 0, 25, 0, 0, 0, 16, 8, 0, 0, 0, 0])
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunks.joined() + chunk("IEND", [])
  }

  private func packed(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(count))
    #expect(compress(&result, &count, bytes, UInt(bytes.count)) == Z_OK)
    return Array(result.prefix(Int(count)))
  }

  /// Returns a profile in hexadecimal digits as ImageMagick writes it, with 36 bytes on a line.
  private func hexadecimal(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    var text = "\n\(name)\n\(String(repeating: " ", count: 8 - String(bytes.count).count))\(bytes.count)"
    for (index, byte) in bytes.enumerated() {
      if index % 36 == 0 { text += "\n" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return Array((text + "\n").utf8)
  }

  private func profile(_ name: String, _ bytes: [UInt8], isPacked: Bool) -> [UInt8] {
    let (keyword, text) = (Array("Raw profile type \(name)\0".utf8), hexadecimal(name, bytes))
    return isPacked ? chunk("zTXt", keyword + [0] + packed(text)) : chunk("tEXt", keyword + text)
  }

  private static let exif = SamplePhoto.tiff(isBigEndian: false)

  @Test(arguments: [true, false]) func rawProfilesAreRead(isPacked: Bool) throws {
    let iptc = Array(SamplePhoto.iptc.dropFirst(4 + "Photoshop 3.0\0".utf8.count))
    let metadata = try metadata(
      png([
        profile("exif", Array("Exif\0\0".utf8) + Self.exif, isPacked: isPacked),
        profile("xmp", Array(SamplePhoto.packet.utf8), isPacked: isPacked),
        profile("iptc", iptc, isPacked: isPacked),
      ]))
    #expect((metadata.camera, metadata.lens, metadata.iso) == ("Maker Model 1", "50 mm", 400))
    #expect((metadata.rating, metadata.label, metadata.title) == (4, "Red", "IPTC title"))
    #expect(metadata.place == PhotoMetadata.Place(latitude: -33.5, longitude: 151.25, altitude: -3))
    // Exif's orientation rotates the image by 90 degrees.
    #expect((metadata.width, metadata.height) == (16, 25))
  }

  @Test func profilesAreReadByTheirOtherNames() throws {
    let exif = profile("APP1", Array("Exif\0\0".utf8) + Self.exif, isPacked: false)
    let xmp = profile("APP1", Array("http://ns.adobe.com/xap/1.0/\0\(SamplePhoto.packet)".utf8), isPacked: true)
    let iptc = profile("8bim", Array(SamplePhoto.iptc.dropFirst(4)), isPacked: true)
    let metadata = try metadata(png([exif, xmp, iptc]))
    #expect((metadata.camera, metadata.rating, metadata.title) == ("Maker Model 1", 4, "IPTC title"))
  }

  @Test func aChunkOfExifComesBeforeAProfile() throws {
    var other = TIFF(isBigEndian: true)
    other.add([.text(0x0110, "Other")])
    let profile = profile("exif", other.bytes, isPacked: false)
    let own = chunk("eXIf", Self.exif)
    for chunks in [[profile, own], [own, profile]] {
      #expect(try metadata(png(chunks)).camera == "Maker Model 1")
    }
  }

  @Test(arguments: [true, false]) func xmpIsReadCompressedOrNot(isPacked: Bool) throws {
    let text = Array(SamplePhoto.packet.utf8)
    let head = Array("XML:com.adobe.xmp\0".utf8) + [isPacked ? 1 : 0, 0] + Array("en\0\0".utf8)
    let metadata = try metadata(png([chunk("iTXt", head + (isPacked ? packed(text) : text))]))
    #expect((metadata.rating, metadata.label) == (4, "Red"))
  }

  @Test(
    arguments: [
      (
        "parameters", "a cat,\nblack\nNegative prompt: dog\nSteps: 20, Model: sd", "a cat,\nblack",
        "Steps: 20, Model: sd"
      ),
      ("parameters", "a cat", "a cat", nil), ("parameters", "Steps: 5", nil, "Steps: 5"),
      (
        "prompt",
        #"{"1":{"inputs":{"ckpt_name":"m.safetensors"}},"2":{"inputs":{"text" : "a \"cat\"\n\u00fc"}},"#
          + #""3":{"inputs":{"text":["2",0]}},"4":{"inputs":{"text":"dog"}}}"#, "a \"cat\"\nü\ndog",
        "ComfyUI, m.safetensors"
      ),
      ("invokeai_metadata", #"{"positive_prompt":"a cat","model":{"model_name":"m"}}"#, "a cat", "InvokeAI, m"),
      ("invokeai_metadata", #"{"positive_prompt":"cut off"#, "cut off", "InvokeAI"), ("Comment", "a cat", nil, nil),
    ] as [(String, String, String?, String?)])
  func theTextsOfGeneratedImagesAreRead(keyword: String, text: String, prompt: String?, settings: String?) throws {
    let data = Array(keyword.utf8) + [0] + Array(text.utf8)
    let international = Array(keyword.utf8) + [0, 0, 0, 0, 0] + Array(text.utf8)
    for bytes in [chunk("tEXt", data), chunk("iTXt", international)] {
      let metadata = try metadata(png([bytes]))
      #expect(metadata.prompt == prompt && metadata.generation == settings)
    }
  }

  /// Damaged text chunks are skipped, and the ones behind them are read.
  @Test func damagedTextChunksAreSkipped() throws {
    let keyword = Array("Raw profile type exif\0".utf8)
    let bomb = packed([UInt8](repeating: 0x30, count: 40_000_000))
    let whole = profile("exif", Self.exif, isPacked: false)
    for chunks in [
      [chunk("zTXt", keyword + [0] + bomb)], [chunk("zTXt", keyword + [0, 1, 2, 3])], [chunk("zTXt", keyword)],
      [chunk("tEXt", keyword)], [chunk("tEXt", keyword + Array("\nexif\n99999999999999999999\n00".utf8))],
      [chunk("tEXt", keyword + Array("\nexif\n-5\n00".utf8))], [chunk("iTXt", [])], [chunk("iTXt", keyword + [1])],
      [chunk("tEXt", Array("no end".utf8))],
    ] {
      #expect(try metadata(png(chunks + [whole])).camera == "Maker Model 1")
    }
  }
}
