import Gallery
import TestLimit
import Testing

@testable import Sheets

@Suite(.limited) struct PickListTests {
  private let names = SheetNames(
    ["/p/a.jpg", "/p/x/b.jpg", "/p/y/b.jpg", "/p/x/c.jpg", "/p/c.jpg", "/p/y/x/c.jpg", "/q/a b.jpg"], in: "/p")

  @Test func aNameIsTheShortestEndOfAPathThatNoOtherPhotoHas() {
    #expect(names.shortest == ["a.jpg", "x/b.jpg", "y/b.jpg", "./x/c.jpg", "./c.jpg", "y/x/c.jpg", "a b.jpg"])
    #expect(names.wholeName(of: 3) == "./x/c.jpg" && names.wholeName(of: 6) == "/q/a b.jpg")
  }

  @Test func everyShortestNameRefersToItsPhoto() {
    for (photo, name) in names.shortest.enumerated() { #expect(names.photos(named: name) == [photo], "\(name)") }
    for photo in 0..<7 { #expect(names.photos(named: names.wholeName(of: photo)) == [photo]) }
  }

  @Test func photosWithoutAFolderHaveNames() {
    let names = SheetNames(["/x/a.jpg", "/y/a.jpg", "/a.jpg"], in: nil)
    #expect(names.shortest == ["x/a.jpg", "y/a.jpg", "/a.jpg"])
  }

  /// Two photos that can't be told apart have the same name, which then picks neither.
  @Test func namesThatLookTheSameAreAmbiguous() {
    let names = SheetNames([FilePath(Array("/p/".utf8) + [0xFF]), FilePath(Array("/p/".utf8) + [0xFE])], in: "/p")
    #expect(names.shortest[0] == names.shortest[1])
    #expect(PickList(names.shortest[0], names).ambiguous.map(\.photos) == [[0, 1]])
  }

  @Test func aListPicksPhotosAndGuessesNothing() {
    let list = PickList(
      "\u{FEFF}a.jpg\r\n\n  x/b.jpg \nb.jpg\nA.JPG\na\nc.jpg\n./c.jpg\na.jpg\n/p/y/b.jpg\na b.jpg", names)
    #expect(list.picked == [0, 1, 4, 2, 6])
    #expect(list.unknown == ["A.JPG", "a"])
    #expect(list.ambiguous.map(\.name) == ["b.jpg", "c.jpg"])
    #expect(list.ambiguous.map(\.photos) == [[1, 2], [3, 4, 5]])
  }

  @Test func aFileThatAnotherRepresentsPicksThatOne() {
    let names = SheetNames(["/p/a.jpg", "/p/a.nef", "/p/b.jpg"], in: "/p")
    let list = PickList("a.nef\na.jpg", names) { $0 == 1 ? 0 : $0 }
    #expect(list.picked == [0] && list.unknown.isEmpty)
  }

  @Test(arguments: ["", " \n\r\n\t", "\u{FEFF}"]) func anEmptyListPicksNothing(text: String) {
    #expect(PickList(text, names) == PickList("", names))
    #expect(PickList(text, names).unknown.isEmpty)
  }

  /// What a hostile list would print can't control a terminal.
  @Test func unknownNamesArePrintable() {
    #expect(PickList("\u{1B}[2Jx", names).unknown == ["�[2Jx"])
  }
}
