import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// `tintype sheet` and `tintype --pick`, started from a shell.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class SheetCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "in/sub"), withIntermediateDirectories: true)
    for (photo, name) in [
      ("chelsea.jpg", "a.jpg"), ("coffee.jpg", "b.jpg"), ("rocket.jpg", "sub/a.jpg"), ("coffee.jpg", "<b>&\"'.jpg"),
    ] {
      try FileManager.default.copyItem(
        at: URL(filePath: TestPhotos.path(photo)), to: folder.appending(path: "in/\(name)"))
    }
  }

  private var changes: [String: String] {
    ["CACHE", "CONFIG", "STATE"].reduce(into: [:]) {
      $0["XDG_\($1)_HOME"] = folder.appending(path: $1.lowercased()).path
    }
  }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: folder, changes: changes)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

  // MARK: - Formats

  @Test func aPDFHasTheJPEGsAsTheyAre() async throws {
    let sheet = try await run("\"$0\" sheet in --to new/first.pdf --grid 2x3")
    #expect(sheet.code == 0 && sheet.errors == "", "\(sheet)")
    #expect(sheet.output == "\(folder.path)/new/first.pdf\n")
    let pdf = try bytes("new/first.pdf")
    let text = String(decoding: pdf, as: Unicode.ASCII.self)
    #expect(pdf.starts(with: Data("%PDF-".utf8)))
    #expect(text.components(separatedBy: "/Filter /DCTDecode").count == 5)
    #expect(pdf.ranges(of: Data([0xFF, 0xD8, 0xFF])).count == 4)
    #expect(text.contains("/MediaBox [ 0 0 595.276 841.89 ]"), "A4")
  }

  private static let pdftotext = "/usr/bin/pdftotext"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: pdftotext), "SKIPPED: pdftotext is not installed"))
  func thePDFsTextIsText() async throws {
    let sheet = try await run(
      "echo b.jpg | \"$0\" --pick - in && \"$0\" sheet in --title 'Øst & <vest>' && \(Self.pdftotext) sheet.pdf -")
    #expect(sheet.code == 0 && sheet.errors == "", "\(sheet)")
    // Where spaces are is a guess of pdftotext.
    let output = sheet.output.filter { !$0.isWhitespace }
    for text in ["Øst&<vest>", "4photos", "./a.jpg", "sub/a.jpg", "b.jpg", "<b>&\"'.jpg", "★", "1/1"] {
      #expect(output.contains(text), "\(sheet.output)")
    }
  }

  private static let canWriteChinese: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/fc-list")
    process.arguments = [":lang=zh", "family"]
    let output = Pipe()
    process.standardOutput = output
    guard FileManager.default.isExecutableFile(atPath: pdftotext), (try? process.run()) != nil else { return false }
    return (try? output.fileHandleForReading.readToEnd())?.isEmpty == false
  }()

  @Test(.enabled(if: canWriteChinese, "SKIPPED: no pdftotext, or no Chinese font"))
  func chineseNamesAreText() async throws {
    let sheet = try await run("mv in/b.jpg in/咖啡.jpg && \"$0\" sheet in && \(Self.pdftotext) sheet.pdf -")
    #expect(sheet.code == 0 && sheet.output.contains("咖啡.jpg"), "\(sheet)")
  }

  @Test func everyPageIsAPNG() async throws {
    let sheet = try await run(
      "\"$0\" sheet in --format png --grid 2x1 --paper letter; \"$0\" sheet in/b.jpg --to one.png")
    #expect(sheet.code == 0 && sheet.errors == "", "\(sheet)")
    let names = ["sheet-1.png", "sheet-2.png", "one.png"]
    #expect(sheet.output == names.map { "\(folder.path)/\($0)\n" }.joined())
    // The size of the header's IHDR: letter, 200 pixels an inch, and landscape if there are more columns than rows.
    let sides: [[UInt8]] = [[0, 0, 8, 152, 0, 0, 6, 164], [0, 0, 8, 152, 0, 0, 6, 164], [0, 0, 6, 118, 0, 0, 9, 35]]
    for (name, sides) in zip(names, sides) { #expect(Array(try bytes(name)[16..<24]) == sides, "\(name)") }
  }

  @Test func aWebPageIsOneFile() async throws {
    let sheet = try await run("\"$0\" sheet in --to page.html")
    #expect(sheet.code == 0 && sheet.errors == "", "\(sheet)")
    let page = String(decoding: try bytes("page.html"), as: UTF8.self)
    for name in ["./a.jpg", "sub/a.jpg", "b.jpg", "&lt;b&gt;&amp;&quot;&#39;.jpg"] {
      #expect(page.contains("data-name=\"\(name)\""))
    }
    #expect(page.components(separatedBy: "data:image/jpeg;base64,/9j/").count == 9)
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && page.hasSuffix("</html>\n"))
    #expect(page.contains("4 photos") && page.contains("addEventListener") && page.contains(".photos {"))
  }

  @Test func theWordsOfTheWebPageAreInTheLanguageOfTheGallery() async throws {
    let sheet = try await run("LC_ALL=de_DE.UTF-8 LANGUAGE=de \"$0\" sheet in --to page.html")
    let page = String(decoding: try bytes("page.html"), as: UTF8.self)
    #expect(sheet.code == 0 && page.contains("<html lang=\"de\">") && page.contains("4 Fotos"))
  }

  // MARK: - What can go wrong

  @Test func noFileIsReplaced() async throws {
    let sheet = try await run("\"$0\" sheet in/b.jpg; cp sheet.pdf old; \"$0\" sheet in/a.jpg; cmp sheet.pdf old")
    #expect(sheet.code == 0, "\(sheet)")
    #expect(sheet.output == "\(folder.path)/sheet.pdf\n\(folder.path)/sheet-2.pdf\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test(arguments: ["pdf", "html", "png"]) func aDamagedPhotoIsReportedAndLeftOut(format: String) async throws {
    try bytes("in/a.jpg").prefix(5000).write(to: folder.appending(path: "in/cut.jpg"))
    let sheet = try await run("\"$0\" sheet in/cut.jpg in/b.jpg --format \(format)")
    #expect(sheet.code == 1 && sheet.errors.contains("\(folder.path)/in/cut.jpg: Incomplete file"), "\(sheet)")
    #expect(sheet.output == "\(folder.path)/sheet.\(format)\n")
    let nothing = try await run("\"$0\" sheet in/cut.jpg --to none.\(format)")
    #expect(nothing.code == 1 && nothing.output == "")
  }

  @Test(arguments: [
    ("--grid 0x3", "It takes columns and rows from 1 to 20"), ("--format gif", "The value 'gif' is invalid"),
    ("--format html --paper a4", "--grid and --paper are for PDF and PNG."),
    ("--to x.html --grid 2x2", "--grid and --paper are for PDF and PNG."), ("--to ''", "--to needs a file's name."),
  ])
  func invalidChoicesAreRefused(options: String, message: String) async throws {
    let sheet = try await run("\"$0\" sheet in \(options)")
    #expect(sheet.code == 64 && sheet.errors.contains(message), "\(sheet.errors)")
  }

  // MARK: - Picks

  @Test func aListBecomesPicksThatTheGalleryUndoes() async throws {
    let list = "b.jpg\\r\\nsub/a.jpg\\na.jpg\\nmissing.jpg\\n"
    let pick = try await run("printf '\(list)' > list; \"$0\" --pick list in")
    #expect(pick.code == 1 && pick.output == "2 picked, 1 not found: missing.jpg\n", "\(pick)")
    #expect(pick.errors == "a.jpg is ambiguous: ./a.jpg or ./sub/a.jpg?\n")
    let sidecars = ["in/b.jpg.xmp", "in/sub/a.jpg.xmp"]
    for name in sidecars { #expect(String(decoding: try bytes(name), as: UTF8.self).contains("xmp:Rating>1<")) }
    let again = try await run("printf './a.jpg\\nb.jpg' | \"$0\" --pick - in")
    #expect(again.code == 0 && again.output == "1 picked, 1 already picked\n", "\(again)")
    let session = try Program.start(
      folder.appending(path: "in").path, "--pictures", "none", columns: 120, rows: 36, changes: changes)
    defer { session.close() }
    try await session.waitForText("1/4")
    session.type("u")
    try await session.waitForText("Undone: 1 star on a.jpg")
    session.type("u")
    try await session.waitForText("Undone: 1 star on 2 photos")
    session.type("q")
    _ = try await session.waitForExit()
    for name in sidecars + ["in/a.jpg.xmp"] {
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: name).path), "\(name)")
    }
  }

  /// The stars may be those of another file of the photo.
  @Test func aPhotoWhoseRawFileHasStarsIsPickedAlready() async throws {
    let script = """
      cp in/b.jpg in/b.cr2; echo b.jpg | "$0" --pick - in; sed -i 's/Rating>1/Rating>4/' in/b.cr2.xmp; rm in/b.jpg.xmp
      echo b.jpg | "$0" --pick - in; ls in/b.jpg.xmp
      """
    let pick = try await run(script)
    #expect(pick.output == "1 picked\n0 picked, 1 already picked\n", "\(pick)")
  }

  /// The stars that a photo has are more than a pick says.
  @Test func starsStay() async throws {
    let script =
      "echo b.jpg | \"$0\" --pick - in; sed -i 's/Rating>1/Rating>4/' in/b.jpg.xmp; echo b.jpg | \"$0\" --pick - in"
    let pick = try await run(script)
    #expect(pick.code == 0 && pick.output == "1 picked\n0 picked, 1 already picked\n", "\(pick)")
    #expect(String(decoding: try bytes("in/b.jpg.xmp"), as: UTF8.self).contains("xmp:Rating>4<"))
  }

  @Test(arguments: [
    ("--pick list", 64, "--pick needs the folder of the photos."), ("--pick none in", 1, "Can't read none"),
    ("--pick list x.json", 64, "--pick needs the folder"),
  ])
  func aListNeedsAFolder(arguments: String, code: Int32, message: String) async throws {
    let pick = try await run("echo b.jpg > list; \"$0\" \(arguments)")
    #expect(pick.code == code && pick.errors.contains(message), "\(pick)")
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "in/b.jpg.xmp").path))
  }
}
