import Gallery
import Photos
import TestLimit
import Testing

@Suite(.limited) struct ExportPresetTests {
  @Test func everyChoiceIsSet() throws {
    var preset = ExportPreset(name: "web")
    for (name, value) in [
      ("format", "avif"), ("long-edge", "2048"), ("quality", "70"), ("sharpen", "high"), ("color", "keep"),
      ("metadata", "no-place"), ("watermark", "© Ada"), ("name", "{date}_{seq:3}"),
    ] { try preset.set(name, to: value) }
    var wanted = ExportSpecification()
    (wanted.format, wanted.size, wanted.quality) = (.avif, .longEdge(2048), .fixed(70))
    (wanted.sharpening, wanted.keepsColors, wanted.metadata) = (.high, true, .withoutPlace)
    wanted.watermark = "© Ada"
    #expect(preset.specification == wanted && preset.names.text == "{date}_{seq:3}")
    try preset.set("box", to: "1080X1350")
    try preset.set("limit", to: "500")
    #expect(preset.specification.size == .box(width: 1080, height: 1350))
    #expect(preset.specification.quality == .limit(bytes: 500_000))
  }

  @Test(arguments: [
    ("format", "gif", "It takes one of jpeg, png, webp, avif, jxl."),
    ("long-edge", "0", "It takes a number of pixels from 16 to 16384."),
    ("box", "10", "It takes a width and a height in pixels, such as 1920x1080."),
    ("box", "1920x", "It takes a width and a height in pixels, such as 1920x1080."),
    ("quality", "101", "It takes a number from 1 to 100."),
    ("limit", "-1", "It takes a number of kB from 1 to 1000000."),
    ("metadata", "gps", "It takes one of all, no-place, copyright, none."),
    ("watermark", "a\u{1B}b", "It takes a line of up to 200 characters."),
    (
      "name", "{nme}",
      "Unknown field {nme}. Fields: name, number, seq, date, camera, lens, rating, label, keyword, title, creator, city, country, folder."
    ),
    (
      "size", "1",
      "There is no “size” here. There are format, long-edge, box, quality, limit, sharpen, color, metadata, watermark, name."
    ),
  ])
  func otherValuesAreRefused(name: String, value: String, reason: String) {
    var preset = ExportPreset()
    #expect(throws: ExportPreset.Fault(reason: reason)) { try preset.set(name, to: value) }
    #expect(preset == ExportPreset())
  }

  @Test func aPNGHasNoLimit() throws {
    var preset = ExportPreset()
    try preset.set("limit", to: "500")
    try preset.check()
    try preset.set("format", to: "png")
    #expect(throws: ExportPreset.Fault.self) { try preset.check() }
  }

  @Test func noTwoPhotosGetTheSameFile() throws {
    var preset = ExportPreset()
    preset.specification.format = .webp
    func photo(_ path: FilePath) -> NamePattern.Values {
      NamePattern.Values(path: path, clock: 0, metadata: PhotoMetadata(), sequence: 1)
    }
    let photos = ["/a/x.jpg", "/b/x.jpg", "/a/x-2.jpg", "/c/x.png"].map { photo(FilePath($0)) }
    let targets = preset.targets(of: photos, in: "/to").compactMap { try? $0.get().printable }
    #expect(targets == ["/to/x.webp", "/to/x-2.webp", "/to/x-2-2.webp", "/to/x-3.webp"])
    preset.names = try NamePattern("{label}")
    #expect(preset.targets(of: photos, in: "/to").allSatisfy { $0 == .failure(.noName) })
  }
}
