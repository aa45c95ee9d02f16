import Finding
import Gallery
import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct SortPopupTests {
  @Test(
    arguments: [
      ("o", "source"), ("d", "date"), ("n", "name"), ("c", "camera"), ("r", "rating"), ("s", "size"), ("x", nil),
    ] as [(Character, String?)])
  func eachOrderIsChosenByALetterOfItsLabel(letter: Character, name: String?) {
    var chosen: String?
    let popup = ChoicePopup.sort(PhotoOrder(), of: []) { chosen = $0.name }
    #expect(popup.type(.key(Key(.character(letter)))) == (name != nil))
    #expect(chosen == name)
  }

  @Test func aLetterThatIsTakenGivesWayToTheNextOfTheLabel() {
    let keys = ["Sensitivity", "Sss", "Copies"].map {
      PhotoOrder.Key.metadata(.number($0, \.iso, label: LocalizedText(stringLiteral: $0), heading: ""))
    }
    let letters = ChoicePopup.letters(of: keys + [.size, .camera])
    #expect(keys.map { letters[$0] } == ["e", nil, "o"])
    #expect([.size, .camera].map { letters[$0] } == ["s", "c"])
  }
}
