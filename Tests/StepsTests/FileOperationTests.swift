import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing
import Torture

@testable import Steps

/// Random sequences of all changes of files.
@Suite(.limited) final class FileOperationTests: FileFixture {
  /// All that is done can be undone: names, contents, times and permissions are as they were.
  @Test(arguments: 0..<4) func randomStepsAreUndone(seed: Int) async throws {
    var random = SplitMix(seed: seed)
    var shots: [[Photo]] = []
    for number in 0..<6 {
      let stem = "\(number % 2)/p\(number)"
      var files = [try add("\(stem).jpg")]
      if number % 3 == 0 { files.append(try add("\(stem).raf")) }
      if number % 4 == 1 { try add("\(stem).xmp", Self.sidecar) }
      if number % 2 == 0 { try add("\(stem).jpg.xmp", Self.sidecar) }
      shots.append(files)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.printable)/0/link.jpg", withDestinationPath: "p0.jpg")
    let link = FilePath("\(photos.printable)/0/link.jpg")
    shots.append([
      Photo(id: 7, name: "", createdAt: .now, imageURL: "", image: .file(link), metadata: PhotoMetadata())
    ])
    let before = try contents(of: photos)
    for _ in 0..<40 {
      let service = makeService()
      let shot = shots[Int.random(in: 0..<shots.count, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: _ = await throwAway([shot], with: service)
      case 8: _ = await place([shot], .rename(to: "renamed \(Int.random(in: 0..<3, using: &random))"))
      case 6: _ = await place([shot], .move(to: folder.appending("elsewhere".utf8)))
      case 7: _ = await place([shot], .copy(to: photos.appending("1".utf8)))
      case 2: _ = await throwAway(shots.filter { _ in Bool.random(using: &random) } + [shot], with: service)
      case 3: _ = await service.undo()
      case 4: _ = await service.redo()
      default:
        let stars = Int.random(in: -1...5, using: &random)
        _ = await service.write(await service.keep([StepRequest(.decision(.rating(stars)), forShots: [shot])])[0])
      }
    }
    while let step = await makeService().undo() { #expect(step.failures == []) }
    #expect(
      try contents(of: photos).filter { !$0.key.hasSuffix(".xmp") } == before.filter { !$0.key.hasSuffix(".xmp") })
    let after = sidecarTexts(try contents(of: photos))
    let old = sidecarTexts(before)
    #expect(after == old, "\(after.filter { old[$0.key] != $0.value }) \(old.filter { after[$0.key] != $0.value })")
    #expect(try names(in: trash).filter { $0.contains("/") } == [])
    #expect(!folder.appending("elsewhere".utf8).isThere)
  }

  @Test func aMovedFileThatIsGoneIsReported() async throws {
    let photo = try add("a.jpg")
    let elsewhere = folder.appending("elsewhere".utf8)
    _ = await place([[photo]], .move(to: elsewhere))
    try FileManager.default.removeItem(atPath: "\(elsewhere.printable)/a.jpg")
    let undone = await makeService().undo()
    #expect(undone?.failures == ["\(elsewhere.printable)/a.jpg is no longer there, so it can't be brought back."])
  }

  /// A crash has ended a move, or a copy, when the photo was at its new place. Then another program has taken the name of the sidecar.
  @Test(arguments: [true, false]) func whatACrashHasLeftIsUndoneUnderOtherNames(isCopy: Bool) async throws {
    let photo = try add("a.jpg")
    try add("a.jpg.xmp", Self.sidecar)
    let before = try contents(of: photos)
    let near = folder.appending("near".utf8)
    let writer = PartWriter(tools: StepTools(trash: Trash(home: trash)))
    let request = StepRequest(.files(isCopy ? .copy(to: near) : .move(to: near)), forShots: [[photo]])
    let operation = try #require(request.located.first)
    let part = StepJournal.Part(photo: operation.photo, undo: Data(), redo: operation.redo)
    let planned = try writer.plan(part)
    try near.createFolder()
    let (from, to) = (photos.appending("a.jpg".utf8), near.appending("a.jpg".utf8))
    try FileMove(kind: isCopy ? .copy : .move, source: from, target: to).make()
    try Data("theirs".utf8).write(to: URL(filePath: near.printable + "/a.jpg.xmp"))
    let made = await writer.carryOut(planned.part, isUndone: false, mayWrite: true, after: nil)
    #expect(made.outcome == .done)
    let undone = await writer.carryOut(made.part, isUndone: true, mayWrite: true, after: nil)
    #expect(undone.outcome == .done)
    #expect(try contents(of: photos) == before)
    #expect(try names(in: near) == ["a.jpg.xmp"])
  }
}
