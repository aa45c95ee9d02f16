import Gallery
import TestLimit
import Testing

@Suite(.limited) struct PhotoCollectionTests {
  private let abc: [FilePath] = ["/a", "/b", "/c"]

  private func edit(_ change: (inout CollectionEdit) -> Void) -> CollectionEdit {
    var edit = CollectionEdit("X")
    change(&edit)
    return edit
  }

  @Test func filesAreInsertedRemovedAndMoved() {
    #expect(edit { $0.insert(["/d", "/e"], at: .last) }.applied(to: abc) == ["/a", "/b", "/c", "/d", "/e"])
    #expect(edit { $0.insert(["/d", "/e"], at: .first) }.applied(to: abc) == ["/d", "/e", "/a", "/b", "/c"])
    #expect(edit { $0.insert(["/c"], at: .after("/a")) }.applied(to: abc) == ["/a", "/c", "/b"])
    #expect(edit { $0.insert(["/d"], at: .after("/gone")) }.applied(to: abc) == ["/a", "/b", "/c", "/d"])
    #expect(edit { $0.remove(["/a", "/gone", "/c"]) }.applied(to: abc) == ["/b"])
    #expect(
      edit {
        $0.insert(["/d"], at: .after("/a"))
        $0.insert(["/e"], at: .first)
      }.applied(to: abc) == ["/e", "/a", "/d", "/b", "/c"])
  }

  /// Any edit of a list is taken back exactly, and made twice it changes no more than once.
  @Test func eachEditIsTakenBack() {
    let edits = [
      edit { $0.insert(["/d", "/b"], at: .first) }, edit { $0.remove(["/a", "/b"]) }, edit { $0.remove(["/c", "/a"]) },
      edit { $0.insert(["/a"], at: .last) }, edit { $0.insert(["/c", "/b"], at: .after("/gone")) },
      edit {
        $0.remove(["/b"])
        $0.insert(["/x"], at: .after("/a"))
      }, edit { $0.remove(abc) },
    ]
    for edit in edits {
      let new = edit.applied(to: abc)
      #expect(edit.applied(to: new) == new)
      let back = edit.inverse(on: abc)
      #expect(back.applied(to: new) == abc && back.applied(to: abc) == abc)
      #expect(!back.isDeletedIfEmpty)
    }
    #expect(edits[0].inverse(on: nil).isDeletedIfEmpty)
  }

  @Test func namesAreTrimmedAndHaveNoQuotes() {
    #expect(PhotoCollection.name("  Best of 2025 ") == "Best of 2025" && PhotoCollection.name(" ") == nil)
    #expect(PhotoCollection.name("a\"b") == nil && PhotoCollection.name("a\u{1B}b") == nil)
    #expect(PhotoCollection.name(String(repeating: "x", count: 101)) == nil)
    #expect(Place(collection: "A B").collection == "A B" && Place(folder: "/collection:").collection == nil)
  }

  @Test func theTitleSaysWhatIsDone() {
    func title(_ edit: CollectionEdit) -> String { CollectionChange(edit, on: abc).title(for: "2 photos") }
    #expect(title(edit { $0.insert(["/d"], at: .last) }) == "Add 2 photos to X")
    #expect(title(edit { $0.insert(["/a"], at: .last) }) == "Move 2 photos in X")
    #expect(title(edit { $0.remove(["/a"]) }) == "Take 2 photos out of X")
  }
}
