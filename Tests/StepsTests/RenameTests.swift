import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Steps

/// Many photos that are renamed as one step.
@Suite(.limited) final class RenameTests: FileFixture {
  private func forecast(_ renames: [([Photo], String)]) async -> RenameForecast {
    await makeService().forecast(renames.map { FileRename($0, to: $1) })
  }

  private func rename(_ renames: [([Photo], String)]) async throws -> Step {
    let forecast = await forecast(renames)
    #expect(forecast.obstacles == [:])
    let service = makeService()
    return await service.write(await service.keep([StepRequest(forecast.renames)])[0])
  }

  /// The files by their names, and what is in them.
  private var texts: [String: String] {
    get throws {
      try names(in: photos).reduce(into: [:]) {
        $0[$1] = try String(contentsOfFile: "\(photos.printable)/\($1)", encoding: .utf8)
      }
    }
  }

  /// Names that are handed on, swapped, and handed on in a circle, with sidecars and pairs.
  @Test func namesThatOtherPhotosHaveBecomeFree() async throws {
    let shots = try ["a", "b", "c", "d", "e", "f", "g"].map { [try add("\($0).jpg")] }
    let raw = try add("a.raf")
    for name in ["a.xmp", "b.jpg.xmp", "e.jpg.xmp"] { try add(name) }
    let before = try contents(of: photos)
    // a → b → a; c → d → e → c; f → h, g → f.
    let step = try await rename([
      (shots[0] + [raw], "b"), (shots[1], "a"), (shots[2], "d"), (shots[3], "e"), (shots[4], "c"), (shots[6], "f"),
      (shots[5], "h"),
    ])
    #expect(step.title == "Rename 7 photos" && step.failures == [])
    #expect(
      try texts == [
        "b.jpg": "the file a.jpg", "b.raf": "the file a.raf", "b.xmp": "the file a.xmp", "a.jpg": "the file b.jpg",
        "a.jpg.xmp": "the file b.jpg.xmp", "d.jpg": "the file c.jpg", "e.jpg": "the file d.jpg",
        "c.jpg": "the file e.jpg", "c.jpg.xmp": "the file e.jpg.xmp", "h.jpg": "the file f.jpg",
        "f.jpg": "the file g.jpg",
      ])
    let after = try contents(of: photos)
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
    #expect(await makeService().redo()?.failures == [])
    #expect(try contents(of: photos) == after)
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo() == nil)
  }

  /// A crash before anything is written: the next start renames in the same order.
  @Test func aSwapThatWasInterruptedIsEnded() async throws {
    let shots = try ["a", "b"].map { [try add("\($0).jpg")] }
    let before = try contents(of: photos)
    let forecast = await forecast([(shots[0], "b"), (shots[1], "a")])
    _ = await makeService().keep([StepRequest(forecast.renames)])
    _ = await makeService().resume()
    #expect(try texts == ["a.jpg": "the file b.jpg", "b.jpg": "the file a.jpg"])
    _ = await makeService().undo()
    #expect(try contents(of: photos) == before)
  }

  @Test func nothingIsRenamedIfOneNameIsImpossible() async throws {
    let shots = try ["a", "b", "c", "d"].map { [try add("\($0).jpg")] }
    try add("taken.jpg")
    try add("other.xmp")
    try add("other.png")
    try add("d.xmp")
    let taken = await forecast([(shots[0], "taken"), (shots[1], "x"), (shots[2], "x"), (shots[3], "other")])
    #expect(taken.renames == [])
    #expect(
      taken.obstacles == [
        0: "There is another file called taken.jpg. Choose another name.",
        2: "Another photo gets the name x.jpg, too.",
        3: "There is another file called other.xmp. Choose another name.",
      ])
    let invalid = await forecast([
      (shots[0], "a/b"), (shots[1], ""), (shots[2], String(repeating: "n", count: 252)), (shots[3], ".d"),
    ])
    #expect(Set(invalid.obstacles.values) == ["A name has no slash, and begins with no dot.", "The name is too long."])
    #expect(invalid.obstacles.count == 4)
    // A photo that keeps its name is in nobody's way but its own.
    let kept = await forecast([(shots[0], "a"), (shots[1], "new")])
    #expect(kept.obstacles == [:] && kept.renames.map(\.stem) == ["new"])
    #expect(await forecast([(shots[0], "a"), (shots[1], "a")]).obstacles.count == 1)
    #expect(
      await forecast([(shots[1], "a"), (shots[0], "a")]).obstacles
        == [0: "There is another file called a.jpg. Choose another name."])
  }

  /// A disk that does not tell capitals from small letters shows a file under both names.
  @Test func onlyTheCaseCanBeChanged() async throws {
    let photo = try add("a.jpg")
    // A second name of the same file, as such a disk would show it: a link count of 1 can't be made here.
    let forecast = await forecast([([photo], "A")])
    #expect(forecast.renames.map(\.stem) == ["A"])
    let rules = NameRules(isWindows: true)
    #expect(rules.folded("/x/IMG.JPG") == rules.folded("/x/img.jpg"))
    #expect(NameRules(isWindows: false).folded("/x/IMG.JPG") != "/x/img.jpg")
  }

  @Test(arguments: [("a:b.jpg", ":"), ("a?.jpg", "?"), ("a.jpg.", "."), ("a ", " ")])
  func namesThatMemoryCardsForbidAreRefused(name: String, character: String) throws {
    let path = FilePath("/card/\(name)")
    #expect(throws: RenameFault.forbidden(character)) { try NameRules(isWindows: true).check(path) }
    try NameRules(isWindows: false).check(path)
  }
}
