import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// `tintype export`, started from a shell.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) struct ExportCommandTests {
  private let fixture: CommandFolder
  private var folder: URL { fixture.url }

  init() throws {
    fixture = try CommandFolder(
      configuration: "[export.small]\nlong-edge = 100\nformat = \"png\"\nname = \"{seq:2}_{name}\"\n")
  }

  private func run(_ script: String) async throws -> Script { try await fixture.run(script) }
  private func names(_ path: String) throws -> [String] { try fixture.names(path) }

  @Test func photosAreExportedWithAPresetAndOptions() async throws {
    let export = try await run("\"$0\" export in --to out/new --preset small --format webp")
    #expect(export.code == 0 && export.errors == "", "\(export)")
    let wanted = ["01_chelsea.webp", "02_coffee.webp"]
    #expect(export.output == wanted.map { "\(folder.path)/out/new/\($0)\n" }.joined())
    #expect(try names("out/new") == wanted)
    #expect(try names("in") == ["chelsea.jpg", "coffee.jpg"])
  }

  @Test func namesAreNumberedOrSkippedAndShownBefore() async throws {
    let script = """
      "$0" export in/coffee.jpg --to out --long-edge 64
      "$0" export in/coffee.jpg --to out --long-edge 64
      "$0" export in/coffee.jpg --to out --long-edge 64 --if-taken skip
      "$0" export in/coffee.jpg --to out --long-edge 64 --dry-run
      """
    let export = try await run(script)
    #expect(
      export.output == """
        \(folder.path)/out/coffee.jpg
        \(folder.path)/out/coffee-2.jpg
        \(folder.path)/in/coffee.jpg → \(folder.path)/out/coffee.jpg, 64×43, taken: gets a number

        """)
    #expect(
      export.errors == "\(folder.path)/in/coffee.jpg: skipped, \(folder.path)/out/coffee.jpg exists\n")
    #expect(export.code == 0)
    #expect(try names("out") == ["coffee-2.jpg", "coffee.jpg"])
  }

  @Test func aDamagedPhotoIsReportedAndTheOthersExported() async throws {
    let whole = try Data(contentsOf: folder.appending(path: "in/coffee.jpg"))
    try whole.prefix(5000).write(to: folder.appending(path: "in/cut.jpg"))
    let export = try await run("\"$0\" export in/cut.jpg in/chelsea.jpg --to out")
    #expect(export.code == 1)
    #expect(export.output == "\(folder.path)/out/chelsea.jpg\n")
    #expect(export.errors.contains("\(folder.path)/in/cut.jpg: Incomplete file"), "\(export.errors)")
    #expect(try names("out") == ["chelsea.jpg"])
  }

  @Test func pathsComeFromStandardInput() async throws {
    let export = try await run("ls in/*.jpg | \"$0\" export - --to out --long-edge 32")
    #expect(export.code == 0 && export.errors == "", "\(export)")
    #expect(try names("out") == ["chelsea.jpg", "coffee.jpg"])
  }

  @Test(arguments: [
    ("--quality 0", "--quality 0: It takes a number from 1 to 100."), ("--format gif", "--format gif: It takes one of"),
    ("--long-edge 99 --box 99x99", "--long-edge and --box can't be combined."),
    ("--quality 9 --limit 9", "--quality and --limit can't be combined."),
    ("--format png --limit 9", "A PNG loses nothing"), ("--name '{x}'", "Unknown field {x}."),
    ("--name '../a'", "can’t have slashes"), ("--preset big", "There is no preset “big”. There are small."),
  ])
  func invalidChoicesAreRefused(options: String, message: String) async throws {
    let export = try await run("\"$0\" export in --to out \(options)")
    #expect(export.code == 64 && export.errors.contains(message), "\(export.errors)")
    #expect(export.output == "" && !FileManager.default.fileExists(atPath: folder.appending(path: "out").path))
  }

  /// The file is whole or not there, whenever the program is killed.
  @Test func aKilledExportLeavesNothing() async throws {
    let export = try await run(
      """
      "$0" export in --to out --format png & export=$!
      kill -9 $export
      wait $export
      """)
    #expect(export.code != 0)
    let left = (try? names("out")) ?? []
    #expect(left.allSatisfy { $0.hasSuffix(".png") })
  }
}
