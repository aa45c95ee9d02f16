import Gallery
import Terminal

/// One row of the table: a command with its keys, and the words for it.
struct KeyBinding: Sendable {
  /// The sections of the help.
  enum Section: CaseIterable {
    case moving, photos, marking, viewer, comparison, rating, rooms, general

    var heading: String {
      switch self {
      case .moving: localized("Moving")
      case .photos: localized("Photos")
      case .marking: localized("Marking")
      case .viewer: localized("Viewer")
      case .comparison: localized("Comparison")
      case .rating: localized("Rating")
      case .rooms: localized("Rooms")
      case .general: localized("General")
      }
    }
  }

  let command: Command
  /// The keys, in the order in which the help names them.
  var keys: [Key]
  /// Further keys, which the help does not name.
  var otherKeys: [Key]
  /// The letter that gives the command after the key of ``Command/goTo``; nil if none does.
  var letter: Character?
  let section: Section
  /// The command in two to four words, for the help and the command palette.
  var title: String { titleText.text }
  /// The label in the footer and in the menu of places; nil for a command that is never shown there.
  var label: String? { labelText?.text }
  /// The command that shares this one's hint in the footer, with its own key.
  let partner: Command?
  /// The last of the commands that the help shows in one row, which this one begins, and the title of that row; nil if the
  /// help shows this command alone.
  var range: (last: Command, title: String)? { rangeText.map { ($0.last, $0.title.text) } }
  let titleText: LocalizedText
  /// Other words that find the command in the help and in the command palette.
  let words: LocalizedText
  private let labelText: LocalizedText?
  private let rangeText: (last: Command, title: LocalizedText)?

  init(
    _ command: Command, _ keys: [Key] = [], also otherKeys: [Key] = [], goTo letter: Character? = nil,
    _ section: Section, _ title: LocalizedText, label: LocalizedText? = nil, with partner: Command? = nil,
    through last: Command? = nil, _ rangeTitle: LocalizedText = "", words: LocalizedText = ""
  ) {
    self.command = command
    self.letter = letter
    self.keys = keys
    self.otherKeys = otherKeys
    self.section = section
    titleText = title
    self.words = words
    labelText = label
    self.partner = partner
    rangeText = last.map { ($0, rangeTitle) }
  }
}
