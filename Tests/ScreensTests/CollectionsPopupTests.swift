import Gallery
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// The lists of collections: to add photos, and to open one.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct CollectionsPopupTests {
  private let host = StubHost()
  private let service = StubCollections()

  private func collections(_ names: String...) async throws -> PhotoCollections {
    for name in names {
      var edit = CollectionEdit(name)
      edit.insert(["/a"], at: .last)
      try await service.make(edit)
    }
    let collections = PhotoCollections(service: service)
    collections.load()
    await collections.settle()
    return collections
  }

  @Test func aTypedNameFindsACollectionOrMakesANewOne() async throws {
    var chosen: [String] = []
    func popup(_ collections: PhotoCollections) -> FindPopup {
      .collecting("2 photos", in: collections, host: host) { chosen.append($0) }
    }
    let empty = popup(try await collections())
    #expect(empty.drawing().contains("No collection yet. Type a name for the first one."))
    #expect(empty.type(.paste("Best of 2025 ")))
    #expect(empty.drawing().contains("new collection"))
    empty.perform(.press)
    let full = popup(try await collections("Portfolio", "Travel"))
    #expect(full.drawing().contains("Add 2 photos to") && full.drawing().contains("1 file"))
    #expect(full.type(.paste("port")))
    #expect(full.drawing().contains("Portfolio") && full.drawing().contains("new collection"))
    full.perform(.press)
    #expect(chosen == ["Best of 2025", "Portfolio"])
    // A name in another case is no new one, and quotes are in none.
    let other = popup(try await collections("Portfolio"))
    #expect(other.type(.paste("PORTFOLIO")))
    #expect(!other.drawing().contains("new collection"))
    let quoted = popup(try await collections())
    #expect(quoted.type(.paste("a\"b")))
    #expect(quoted.refusal(of: .press)?.hasSuffix("and no quotes.") == true)
  }

  @Test func anOpenCollectionThatIsRenamedIsOpenedAgain() async throws {
    let collections = try await collections("Portfolio", "Travel")
    let popup = FindPopup.collections(collections, host: host, opened: "Portfolio", canUndo: true) { _ in }
    popup.perform(.rename)
    let field = try #require(host.popups.last as? FieldPopup)
    #expect(field.type(.paste("Best")))
    field.perform(.press)
    await collections.settle()
    #expect(host.places == [Place(collection: "Best")] && host.notes.last == "Portfolio is now Best")
  }

  @Test func aCollectionIsOpenedRenamedAndDeleted() async throws {
    let collections = try await collections("Portfolio", "Travel")
    var deleted: [String] = []
    let popup = FindPopup.collections(collections, host: host, canUndo: false) { name in
      deleted.append(name)
      collections.delete(name) {}
    }
    popup.perform(.press)
    #expect(host.places == [Place(collection: "Portfolio")])
    popup.perform(.rename)
    let field = try #require(host.popups.last as? FieldPopup)
    #expect(field.type(.paste("Travel")))
    field.perform(.press)
    await collections.settle()
    #expect(host.notes.last == "There is another collection “Travel”.")
    popup.perform(.removeSearch)
    let question = try #require(host.popups.last as? ChoicePopup)
    #expect(question.drawing().contains("Delete the collection “Portfolio”?"))
    #expect(question.drawing().contains("can't be brought"))
    question.perform(.press)
    await collections.settle()
    #expect(collections.all.count == 2)
    popup.perform(.removeSearch)
    let again = try #require(host.popups.last as? ChoicePopup)
    again.perform(.moveDown)
    again.perform(.press)
    await collections.settle()
    #expect(collections.all.map(\.name) == ["Travel"] && deleted == ["Portfolio"])
    #expect(!popup.drawing().contains("Portfolio"))
  }
}
