import Foundation
import Gallery
import Services
import Sidecars
import TestLimit
import Testing

@testable import Steps

/// Folders that are replaced by links to others after the user has requested a step, before it is planned, written or undone. Nothing
/// happens in the others, and the reason is one sentence.
@Suite(.limited) final class ReplacedFolderTests: FileFixture {
  enum Change: CaseIterable {
    case rating, keywords, trash, move, copy, rename, importing
  }

  enum Place: CaseIterable {
    /// The folder of the photo, or the card.
    case source
    /// The folder to which files go.
    case target
  }

  private var elsewhere: FilePath { folder.appending("elsewhere".utf8) }
  private var near: FilePath { photos.appending("near".utf8) }
  private var card: FilePath { folder.appending("card".utf8) }

  private func aside(_ place: FilePath) -> FilePath { FilePath(place.bytes + Array(".aside".utf8)) }

  private func replace(_ place: FilePath) throws {
    try FileManager.default.moveItem(atPath: place.printable, toPath: aside(place).printable)
    try FileManager.default.createSymbolicLink(atPath: place.printable, withDestinationPath: elsewhere.printable)
  }

  private func putBack(_ place: FilePath) throws {
    try FileManager.default.removeItem(atPath: place.printable)
    try FileManager.default.moveItem(atPath: aside(place).printable, toPath: place.printable)
  }

  private func request(_ change: Change, of photo: Photo) -> StepRequest {
    switch change {
    case .rating: StepRequest(.decision(.rating(5)), for: [photo])
    case .keywords: StepRequest(.decision(.keywords(added: ["sea"], removed: [])), for: [photo])
    case .trash: StepRequest(.files(.trash), for: [photo])
    case .move: StepRequest(.files(.move(to: near)), for: [photo])
    case .copy: StepRequest(.files(.copy(to: near)), for: [photo])
    case .rename: StepRequest(.files(.rename(to: "b")), for: [photo])
    case .importing: StepRequest([importing(photo)])
    }
  }

  private func importing(_ photo: Photo) -> FileImport {
    let (file, copy) = (photo.file ?? "/", near.appending("a.jpg".utf8))
    return FileImport(
      photo, at: copy, files: [file], as: [near.appending("a".utf8)], copies: [FileImport.Copy(of: file, at: copy)])
  }

  /// Fills the folders, and returns the photo.
  private func makePhoto(for change: Change) throws -> Photo {
    for name in ["elsewhere/a.jpg", "elsewhere/c.jpg", "photos/near/c.jpg"] { try add("../\(name)", "another") }
    try add("../elsewhere/a.jpg.xmp", Self.sidecar)
    return try add(change == .importing ? "../card/a.jpg" : "a.jpg")
  }

  private static let cases = Change.allCases.flatMap { change in
    Place.allCases.filter { $0 == .source || [.move, .copy, .importing].contains(change) }.map { (change, $0) }
  }

  private func path(of place: Place, _ change: Change) -> FilePath {
    place == .target ? near : change == .importing ? card : photos
  }

  @Test(arguments: cases) func nothingIsDoneInAnotherFolder(change: Change, place: Place) async throws {
    let photo = try makePhoto(for: change)
    let (all, service) = (try contents(of: folder), makeService())
    let others = try contents(of: elsewhere)
    let step = try #require(await service.keep([request(change, of: photo)]).first)
    let replaced = path(of: place, change)
    try replace(replaced)
    let written = await service.write(step)
    #expect(try contents(of: elsewhere) == others)
    let fault = try #require(written.faults.first)
    #expect(fault.message.hasSuffix(" is not the folder that it was. Connect its disk, or put the folder back."))
    try putBack(replaced)
    // The step is given up, as the message says.
    _ = await makeService().resume()
    #expect(await makeService().undo() == nil)
    let kept = try contents(of: folder).filter { !$0.key.hasPrefix("state") && !$0.key.hasPrefix("data") }
    #expect(kept == all)
  }

  @Test(arguments: cases) func nothingIsUndoneInAnotherFolder(change: Change, place: Place) async throws {
    let photo = try makePhoto(for: change)
    let (all, service) = (try contents(of: folder), makeService())
    let others = try contents(of: elsewhere)
    #expect(await service.write(await service.keep([request(change, of: photo)])[0]).faults == [])
    let replaced = path(of: place, change)
    try replace(replaced)
    let undone = try #require(await service.undo())
    #expect(try contents(of: elsewhere) == others)
    #expect(undone.isWaiting)
    let fault = try #require(undone.faults.first)
    #expect(fault.message.hasSuffix(" is not the folder that it was. Connect its disk, or put the folder back."))
    try putBack(replaced)
    _ = await makeService().resume()
    let kept = try contents(of: folder).filter { !$0.key.hasPrefix("state") && !$0.key.hasPrefix("data") }
    #expect(kept == all)
  }
}
