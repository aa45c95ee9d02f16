import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Steps

/// Folders that are replaced by links to others, in which there are other files of the same names.
@Suite(.limited) final class FolderPlaceTests: FileFixture {
  private var near: FilePath { folder.appending("near".utf8) }
  private var aside: FilePath { folder.appending("aside".utf8) }

  private func replace(_ folder: FilePath, by target: FilePath) throws {
    try FileManager.default.moveItem(atPath: folder.printable, toPath: aside.printable)
    try FileManager.default.createSymbolicLink(atPath: folder.printable, withDestinationPath: target.printable)
  }

  private func putBack(_ folder: FilePath) throws {
    try FileManager.default.removeItem(atPath: folder.printable)
    try FileManager.default.moveItem(atPath: aside.printable, toPath: folder.printable)
  }

  /// The undo of a copy would remove the original.
  @Test func anOriginalIsNotTakenForItsCopy() async throws {
    let photo = try add("a.jpg")
    let before = try contents(of: photos)
    #expect(await place([[photo]], .copy(to: near)).succeeded.count == 1)
    try replace(near, by: photos)
    #expect(await makeService().undo()?.isWaiting == true)
    #expect(try contents(of: photos) == before)
    try putBack(near)
    _ = await makeService().resume()
    #expect(try contents(of: photos) == before && !near.isThere)
  }

  @Test func anotherFileIsNotBroughtBack() async throws {
    let photo = try add("a.jpg")
    try add("../elsewhere/a.jpg", "another")
    let before = try contents(of: photos)
    #expect(await place([[photo]], .move(to: near)).succeeded.count == 1)
    try replace(near, by: folder.appending("elsewhere".utf8))
    #expect(await makeService().undo()?.isWaiting == true)
    #expect(try contents(of: photos) == [:])
    try putBack(near)
    _ = await makeService().resume()
    #expect(try contents(of: photos) == before)
    #expect(try names(in: folder.appending("elsewhere".utf8)) == ["a.jpg"])
  }

  @Test func aRatingOfAnotherPhotoIsNotUndone() async throws {
    let photo = try add("a.jpg")
    let before = try contents(of: photos)
    try add("../elsewhere/a.jpg", "another")
    try add("../elsewhere/a.jpg.xmp", Self.sidecar.replacing("MetadataDate", with: "Rating=\"5\" xmp:MetadataDate"))
    let elsewhere = try contents(of: folder.appending("elsewhere".utf8))
    _ = await makeService().make(.rating(5), for: [photo])
    try replace(photos, by: folder.appending("elsewhere".utf8))
    #expect(await makeService().undo()?.isWaiting == true)
    #expect(try contents(of: folder.appending("elsewhere".utf8)) == elsewhere)
    try putBack(photos)
    _ = await makeService().resume()
    #expect(try contents(of: photos) == before)
  }

  /// A part that waits behind a rating takes the sidecar along, which is written later.
  @Test func aPhotoThatWaitsForItsRatingIsMovedWithIt() async throws {
    let (photo, known) = (try add("a.jpg"), try add("c.jpg"))
    let other = makeService()
    // The other one knows that nothing waits.
    _ = await other.make(.rating(1), for: [known])
    _ = await makeService().keep([StepRequest(.decision(.rating(4)), for: [photo])])
    let move = await other.keep([StepRequest(.files(.rename(to: "b")), for: [photo])])
    #expect(await other.write(move[0]).isWaiting)
    _ = await makeService().resume()
    #expect(try names(in: photos) == ["b.jpg", "b.jpg.xmp", "c.jpg", "c.jpg.xmp"])
    while await makeService().undo() != nil {}
    #expect(try names(in: photos) == ["a.jpg", "c.jpg"])
  }
}
