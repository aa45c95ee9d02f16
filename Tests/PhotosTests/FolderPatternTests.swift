import Gallery
import Photos
import TestLimit
import Testing

@Suite(.limited) struct FolderPatternTests {
  private func folder(_ pattern: String, camera: String? = "Nikon Z 6", name: String = "DSC_0042") throws -> String {
    var metadata = PhotoMetadata()
    metadata.camera = camera
    // 2003-12-14 12:01:44.
    let photo = NamePattern.Values(
      path: FilePath("/card/100NIKON/\(name).NEF"), clock: 1_071_403_304, metadata: metadata, sequence: 1)
    return try FolderPattern(pattern).folder(of: photo, in: "/photos").printable
  }

  @Test(arguments: [
    ("{date:%Y/%m/%d}", "/photos/2003/12/14"), ("{camera}/{date:%Y}", "/photos/Nikon Z 6/2003"),
    ("trips/{folder}/", "/photos/trips/100NIKON"), ("a//b", "/photos/a/b"),
  ])
  func slashesAreBetweenFolders(pattern: String, expected: String) throws {
    #expect(try folder(pattern) == expected)
  }

  @Test func noValueLeadsElsewhereOrHidesAFolder() throws {
    #expect(try folder("{camera}/x", camera: "../../etc") == "/photos/_.-..-etc/x")
    #expect(try folder("../{name}") == "/photos/_./DSC_0042")
    #expect(try folder("{name}", name: ".hidden") == "/photos/_hidden")
  }

  @Test func aFolderWithoutAValueIsLeftOut() throws {
    #expect(try folder("{camera}/{date:%Y}", camera: nil) == "/photos/2003")
    #expect(try folder("{camera}", camera: nil) == "/photos")
  }

  @Test(arguments: [
    ("/absolute", NamePattern.Fault.absoluteFolder), ("{nothing}", .unknownField("nothing")),
    ("{date:%Q}", .format("date:%Q")),
    ("", .noName),
  ])
  func faultsAreNamed(pattern: String, fault: NamePattern.Fault) {
    #expect(throws: fault) { try FolderPattern(pattern) }
  }

  @Test func namesStillHaveNoSlashes() {
    #expect(throws: NamePattern.Fault.forbiddenCharacter) { try NamePattern("a/b") }
    #expect(throws: NamePattern.Fault.format("date:%Y/%m")) { try NamePattern("{date:%Y/%m}") }
  }
}
