import Finding
import Terminal
import Testing

@testable import Screens

@MainActor @Suite struct SortPopupTests {
  @Test(
    arguments: [
      ("o", "source"), ("d", "date"), ("n", "name"), ("c", "camera"), ("r", "rating"), ("s", "size"), ("x", nil),
    ] as [(Character, String?)])
  func eachOrderIsChosenByALetterOfItsLabel(letter: Character, name: String?) {
    var chosen: String?
    let popup = ChoicePopup.sort(PhotoOrder()) { chosen = $0.name }
    #expect(popup.type(.key(Key(.character(letter)))) == (name != nil))
    #expect(chosen == name)
  }

  @Test func aLetterThatIsTakenGivesWayToTheNextOfTheLabel() {
    #expect(ChoicePopup.letters(of: ["Order", "Camera", "Copies", "Cc", "Ço"]) == ["o", "c", "p", " ", "ç"])
  }
}
