import Gallery
import Photos
import TestLimit
import Testing

@Suite(.limited) struct NamePatternTests {
  private func photo(_ path: FilePath = "/trip/DSC_0042.NEF", sequence: Int = 7, with metadata: PhotoMetadata = .init())
    -> NamePattern.Values
  {
    // 2003-12-14 12:01:44.
    NamePattern.Values(path: path, clock: 1_071_403_304, metadata: metadata, sequence: sequence)
  }

  private func name(_ pattern: String, of photo: NamePattern.Values? = nil) throws -> String {
    String(decoding: try NamePattern(pattern).name(of: photo ?? self.photo()), as: UTF8.self)
  }

  private var described: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.camera = "Nikon Z 6"
    metadata.lens = "24-70mm f/4"
    metadata.rating = 4
    metadata.label = "Red"
    metadata.keywords = ["Places/Oslo", "ship"]
    metadata.title = " A \"ship\"?\u{202E}\n"
    return metadata
  }

  @Test(arguments: [
    ("{date:%Y-%m-%d}_{seq:3}_{name}", "2003-12-14_007_DSC_0042"), ("{date}", "2003-12-14"),
    ("{date:%y%m%d %H%M%S %%}", "031214 120144 %"), ("{seq}", "7"), ("{number}", "0042"), ("{number:6}", "000042"),
    ("{folder} {name}", "trip DSC_0042"), ("{{{name}}}", "{DSC_0042}"), ("Oslo, 50 %-{seq}", "Oslo, 50 %-7"),
    ("{camera}-{lens}", "Nikon Z 6-24-70mm f-4"), ("{rating}{label}", "4Red"), ("{keyword}", "Places-Oslo"),
    ("{title}", "A -ship---"),
  ])
  func fieldsHaveTheirValues(pattern: String, expected: String) throws {
    #expect(try name(pattern, of: photo(with: described)) == expected)
  }

  @Test func aPhotoWithoutMetadataHasEmptyFields() throws {
    #expect(try name("{camera}{lens}{label}{keyword}{title}x{rating}") == "x0")
    var rejected = PhotoMetadata()
    rejected.rating = PhotoDecisions.rejected
    #expect(try name("{rating}", of: photo(with: rejected)) == "rejected")
    for pattern in ["{label}", "{label}_{title} - {keyword}."] {
      #expect(throws: NamePattern.Fault.noName, "\(pattern)") { try name(pattern) }
    }
  }

  @Test(arguments: [
    ("{nam}", NamePattern.Fault.unknownField("nam")), ("{}", .unknownField("")), ("{name:3}", .format("name:3")),
    ("{seq:0}", .format("seq:0")), ("{seq:x}", .format("seq:x")), ("{seq:}", .format("seq:")),
    ("{date:%Q}", .format("date:%Q")), ("{date:%}", .format("date:%")), ("{date:%Y/%m}", .format("date:%Y/%m")),
    ("{name", .brace), ("name}", .brace), ("{{name}", .brace), ("../{name}", .forbiddenCharacter),
    ("{name}\n", .forbiddenCharacter), ("{name}\0", .forbiddenCharacter), ("\u{202E}{name}", .forbiddenCharacter),
    ("", .noName), (String(repeating: "a", count: 101) + "{name}", .tooLong),
  ])
  func invalidPatternsAreRefused(pattern: String, fault: NamePattern.Fault) {
    #expect(throws: fault) { try NamePattern(pattern) }
    #expect(fault.message.printable == fault.message)
  }

  @Test(arguments: ["../../etc/passwd", "..", ".", "a\0b", "\u{1B}[2J", "a\nb", "/", "~", " ", "C:\\x", "\u{85}"])
  func noValueLeavesTheFolder(value: String) throws {
    var metadata = PhotoMetadata()
    metadata.title = value
    metadata.keywords = [value]
    let name = try name("{title}{keyword}{seq}", of: photo(with: metadata))
    #expect(!name.hasPrefix(".") && !name.contains("/") && name.printable == name && name.hasSuffix("7"))
  }

  @Test func controlCharactersOfAFileNameAreReplacedAndOtherBytesKept() throws {
    let path = FilePath(Array("/".utf8) + [0x61, 0x1B, 0x0A, 0x7F, 0xE9] + Array(".jpg".utf8))
    #expect(try NamePattern("{name}").name(of: photo(path)) == [0x61, 0x2D, 0x2D, 0x2D, 0xE9])
    #expect(try name("{name}", of: photo("/.jpg")) == "_jpg")
    #expect(try name("{name}", of: photo("/.a.jpg")) == "_a")
    #expect(try name("{folder}{seq}", of: photo("/a.jpg")) == "7")
  }

  @Test(arguments: [
    ("IMG_1234-2", "1234"), ("20240102_0123", "0123"), ("P7", "7"), ("a-12-3", "3"), ("a", ""), ("", ""),
  ])
  func theNumberOfAFileIsTheCameras(stem: String, number: String) throws {
    #expect(try name("n{number}", of: photo(FilePath("/\(stem).jpg"))) == "n\(number)")
  }

  @Test func longValuesAreShortenedBetweenCharacters() throws {
    var metadata = PhotoMetadata()
    metadata.title = String(repeating: "é", count: 4000)
    metadata.keywords = [String(repeating: "📷", count: 300)]
    let long = try name("{date}_{title}_{keyword}_{seq:3}", of: photo(with: metadata))
    #expect(long.utf8.count <= NamePattern.longest && long.utf8.count > NamePattern.longest - 12)
    #expect(long.hasPrefix("2003-12-14_é") && long.contains("_📷") && long.hasSuffix("📷_007"))
    #expect(long.printable == long, "a character is cut")
    let bytes = FilePath([UInt8(ascii: "/")] + Array(repeating: 0xBF, count: 251) + Array(".jpg".utf8))
    #expect(try NamePattern("{name}{seq}").name(of: photo(bytes)).count <= NamePattern.longest)
  }
}
