import Foundation
import Harness
import TestLimit
import Testing

/// `tintype catalogue` and its alias `tintype catalog`, started from a shell.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class CatalogCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    let photos = folder.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["chelsea.jpg", "coffee.jpg"] {
      try FileManager.default.copyItem(atPath: Program.photo(name), toPath: photos.appending(path: name).path)
    }
    try Data("no photo".utf8).write(to: photos.appending(path: "text.jpg"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: folder, changes: ["XDG_CACHE_HOME": folder.appending(path: "cache").path])
  }

  /// Cameras, times, and places of the bundled catalog come from its photos' files, and none is missing.
  @Test func theBundledCatalogAgreesWithItsFiles() async throws {
    struct Catalog: Decodable {
      struct Photo: Decodable {
        let camera: String?, lens: String?, takenAt: String?
        let width: Int?, height: Int?, iso: Int?
        let exposureTime: Double?, aperture: Double?, focalLength: Double?, latitude: Double?, longitude: Double?
        let imageUrl: String

        var texts: [String?] { [camera, lens, takenAt] }
        var numbers: [Double?] {
          [width, height, iso].map { $0.map(Double.init) }
            + [exposureTime, aperture, focalLength, latitude, longitude]
        }
      }

      let photos: [Photo]
    }
    func photos(_ json: Data) throws -> [String: Catalog.Photo] {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let photos = try decoder.decode(Catalog.self, from: json).photos
      return Dictionary(
        uniqueKeysWithValues: photos.map { ($0.imageUrl.split(separator: "/").last.map(String.init) ?? "", $0) })
    }
    let bundle = URL(filePath: Program.bundledPhoto("")).deletingLastPathComponent()
    let written = try await run(#""$0" catalog --with-location "\#(bundle.path)/photos""#)
    let files = try photos(Data(written.output.utf8))
    let bundled = try photos(Data(contentsOf: bundle.appending(path: "content.json")))
    #expect(Set(files.keys) == Set(bundled.keys))
    for (name, photo) in bundled {
      let file = try #require(files[name])
      #expect(photo.texts == file.texts, "\(name)")
      for (value, fileValue) in zip(photo.numbers, file.numbers) {
        #expect((value == nil) == (fileValue == nil), "\(name)")
        #expect(abs((value ?? 0) - (fileValue ?? 0)) <= abs(value ?? 0) * 1e-5, "\(name)")
      }
    }
  }

  @Test func aWrittenCatalogIsValid() async throws {
    let written = try await run(#""$0" catalog photos --output photos.json"#)
    #expect(written.code == 0)
    #expect(written.output.isEmpty)
    #expect(
      written.errors == """
        text.jpg: Not an image, or an unsupported format.
        2 photos written, 1 left out

        """)
    let checked = try await run(#""$0" catalog --check photos.json"#)
    #expect((checked.code, checked.output) == (0, "photos.json: 2 photos, no problem\n"))
    let piped = try await run(#""$0" catalog photos 2>errors | tee again.json | "$0" catalog --check -"#)
    #expect((piped.code, piped.output) == (0, "-: 2 photos, no problem\n"))
    #expect(try await run("cmp photos.json again.json").code == 0)
    #expect(try await run(#"ls -A"#).output == "again.json\ncache\nerrors\nphotos\nphotos.json\n")
  }

  /// The first thousand are named, and the catalog itself is all that comes to the standard output.
  @Test func manyFilesThatAreLeftOutAreCounted() async throws {
    let many = #"i=0; while [ $i -lt 1000 ]; do echo no > photos/$i.jpg; i=$((i + 1)); done; "#
    let written = try await run(many + #""$0" catalog photos"#)
    #expect(written.errors.hasSuffix("\nAnd 1 more.\n2 photos written, 1001 left out\n"))
    #expect(written.output.hasPrefix("{") && written.output.hasSuffix("]}\n"))
    #expect(!written.output.contains("more"))
  }

  @Test func anInvalidCatalogIsReportedLineByLine() async throws {
    let row = #"{"id": 1, "name": "N", "created_at": "2017-11-06T14:48:50Z", "image_url": "photos/coffee.jpg"}"#
    try Data("[\(row),\n\(row.replacing("1,", with: "2, \"iso\": \"x\",", maxReplacements: 1)), 7]".utf8)
      .write(to: folder.appending(path: "bad.json"))
    let checked = try await run(#""$0" catalog --check bad.json"#)
    #expect(checked.code == 1)
    #expect(
      checked.output == """
        bad.json:2:18: photo 2: iso is not a sensitivity
        bad.json:2:109: photo 3: the photo is not an object
        bad.json: 2 photos, 2 problems

        """)
    let missing = try await run(#""$0" catalog --check none.json"#)
    #expect(missing.code == 1)
    #expect(missing.errors == "There is no file at \(folder.path)/none.json. Check the name.\n")
  }

  /// A limit on the size of files simulates a full disk.
  @Test func aFailedWriteLeavesTheOldFile() async throws {
    try Data("[old]".utf8).write(to: folder.appending(path: "photos.json"))
    _ = try await run(#""$0" catalog photos > /dev/null"#)
    let failed = try await run(#"(ulimit -f 0; exec "$0" catalog photos --output photos.json 2>&1) | cat"#)
    #expect(failed.output.contains("photos.json was not changed: writing failed"))
    #expect(try await run("cat photos.json; ls -A").output == "[old]cache\nphotos\nphotos.json\n")
  }
}
