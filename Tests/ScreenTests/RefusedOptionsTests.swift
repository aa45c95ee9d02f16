import Foundation
import Harness
import TestLimit
import Testing

/// Options and arguments that a command refuses, and the nearest ones that it takes.
@Suite(.fewAtOnce, .limited) final class RefusedOptionsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    for name in ["card", "backup"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    for name in ["a.jpg", "b.jpg"] { try Data("no image".utf8).write(to: folder.appending(path: name)) }
    try Data("{}".utf8).write(to: folder.appending(path: "a.json"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs a command for each line of arguments, and returns the exit code and the first line of the errors of each.
  private func answers(to lines: [String]) async throws -> [String] {
    var answers: [String] = []
    for line in lines {
      let result = try await Script.run("\"$0\" \(line)", in: folder)
      answers.append("\(result.code) \(result.errors.split(separator: "\n").first ?? "")")
    }
    return answers
  }

  private func expectRefusals(_ refusals: [(words: String, reason: String)]) async throws {
    let answers = try await answers(to: refusals.map(\.words))
    #expect(answers.count == refusals.count)
    for (refusal, answer) in zip(refusals, answers) {
      #expect(answer == "64 Error: \(refusal.reason)", "\(refusal.words)")
    }
  }

  @Test func theGallery() async throws {
    let delay = "--delay takes a number of seconds from 0 to 3600."
    let slideshow = "--slideshow takes a number of seconds from 0.1 to 86400."
    let memory = "--picture-memory takes a number of megabytes from 1 to 4096."
    let music = "--music-url takes an http:// or https:// address without ? or #."
    try await expectRefusals([
      ("--delay 3600.5", delay), ("--delay=-0.5", delay), ("--slideshow 0.05", slideshow),
      ("--slideshow 86401", slideshow), ("--picture-memory 0", memory), ("--picture-memory 4097", memory),
      ("--music-url ftp://a", music), ("--music-url http:", music), ("--music-url 'http://a/?q'", music),
      ("--music-url 'http://a/#q'", music), ("--pick a", "--pick needs the folder of the photos."),
      ("''", "SOURCE is empty. Name a folder, photos or a .json file, or leave it out."),
      ("a.jpg -", "- can't be combined with other sources."),
      ("card --header 'A: b'", "--header, --token-file and --token-command need an address of a server."),
      ("http://a --header A", "--header takes 'Name: value'."),
    ])
    let taken = try await answers(to: [
      "--delay 3600", "--delay 0", "--slideshow 0.1", "--slideshow 86400", "--picture-memory 1",
      "--picture-memory 4096", "--music-url HTTPS://a/b",
    ])
    #expect(Set(taken) == ["1 Error: standard output is not a terminal."] && taken.count == 7)
  }

  @Test func show() async throws {
    try await expectRefusals([
      ("show", "Name an image, or - for one on the standard input."),
      ("show - -", "The standard input can only be named once."),
      ("show --place 9x5@0x0 a.jpg b.jpg", "--place takes one image."),
      ("show --place 9x5@0x0 --size 9x5 a.jpg", "--place has a size, so leave out --size."),
      ("show --place 9x5@0x0 --title x a.jpg", "--place takes one image, so leave out --grid and --title."),
      ("show --place 9x5@0x0 --grid 2 a.jpg", "--place takes one image, so leave out --grid and --title."),
      ("show --pictures none a.jpg", "--pictures none shows nothing, so leave it out."),
      (
        "show --placeholders --pictures sixel a.jpg",
        "--placeholders works only with kitty, so leave out --pictures sixel."
      ),
    ])
    #expect(try await answers(to: ["show --clear --no-ask --placeholders --pictures kitty"]) == ["0 "])
  }

  @Test func importPhotos() async throws {
    try await expectRefusals([
      ("import card --to ''", "--to and --also-to need a folder's name."),
      ("import card --to x --also-to ''", "--to and --also-to need a folder's name."),
      ("import a.json --to x", "\(folder.path)/a.json is neither a folder nor a photo."),
      ("import http://a --to x", "http://a is no folder of photos."),
      ("import card --to x --open --dry-run", "--open and --dry-run can't be combined."),
      ("import card --to x --open", "--open needs a terminal."),
      ("import card --to x --also-to y", "There is no folder y. Attach its disk, or create it."),
      ("import card --to x --also-to x", "--to and --also-to are the same folder."),
    ])
    let taken = try await answers(to: ["import card --to x --also-to backup"])
    #expect(taken.first?.hasPrefix("0 ") == true, "\(taken)")
  }

  @Test func exportAndSheet() async throws {
    try await expectRefusals([
      ("export a.jpg --to ''", "--to needs a folder's name."),
      ("export a.jpg --to x --long-edge 5 --box 3x3", "--long-edge and --box can't be combined."),
      ("export a.jpg --to x --quality 5 --limit 3kB", "--quality and --limit can't be combined."),
      ("sheet a.jpg --to ''", "--to needs a file's name."),
    ])
  }

  @Test func catalogHistoryAndConfig() async throws {
    let combined = "--check, --themes and --theme can't be combined."
    let alone = "--check can't be combined with other options."
    try await expectRefusals([
      ("catalog ''", "The folder's name is empty."), ("catalog card --output ''", "--output needs a file name."),
      ("catalog --check a.json --output x", alone), ("catalog --check a.json --with-location", alone),
      ("catalog --check a.json --sale-keyword x", alone),
      ("catalog a.json", "There is no folder at a.json. Check the name, or use --check for a catalog."),
      ("history --most 0", "--most needs a number greater than 0."), ("config --check --themes", combined),
      ("config --themes --theme dark", combined), ("config a.toml", "A file needs --check."),
    ])
  }
}
