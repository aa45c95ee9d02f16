import Gallery
import Terminal
import ViewModels

extension Action {
  /// The reason why photos can't be rated.
  static let cannotRate = "Only the photos of a folder can be rated."

  private static let stars: [(Command, Int)] = [
    (.rateNone, 0), (.rateOne, 1), (.rateTwo, 2), (.rateThree, 3), (.rateFour, 4), (.rateFive, 5),
  ]
  private static let labels: [(Command, LabelColor)] = [
    (.labelRed, .red), (.labelYellow, .yellow), (.labelGreen, .green), (.labelBlue, .blue),
  ]

  /// Returns an action for each command that rates photos. A label that the photo has is removed, and a rejected photo is
  /// accepted.
  ///
  /// - Parameter rating: The rating of the highlighted photo.
  @MainActor
  static func ratings(
    of rating: PhotoRating, refusal: String?, rate: @escaping @MainActor (RatingChange) -> Void
  ) -> [Action] {
    let isRejected = rating.stars == PhotoRating.rejected
    return stars.map { command, count in Action(command, refusal: refusal) { rate(.stars(count)) } }
      + labels.map { command, color in
        let isRemoved = rating.label.flatMap(LabelColor.init) == color
        return Action(command, refusal: refusal) { rate(.label(isRemoved ? nil : color.label)) }
      } + [
        Action(.reject, label: isRejected ? "Accept" : nil, refusal: refusal) {
          rate(.stars(isRejected ? 0 : PhotoRating.rejected))
        }
      ]
  }

  /// Returns the actions that go back and forth through the steps.
  @MainActor @ActionList
  static func stepping(_ ratings: PhotoRatings) -> [Action] {
    Action(.undo) { ratings.undo() }
    Action(.redo) { ratings.redo() }
    Action(.toggleAdvance) { ratings.toggleAdvance() }
  }
}

extension Popup where Self == ChoicePopup {
  /// Makes the menu of labels.
  ///
  /// - Parameters:
  ///   - label: The label of the highlighted photo.
  ///   - onChoice: Called with the label that the user chooses; nil for none.
  @MainActor
  static func label(_ label: String?, onChoice: @escaping (String?) -> Void) -> ChoicePopup {
    let colors = LabelColor.allCases
    let current = label.flatMap(LabelColor.init)
    let choices =
      colors.map {
        ChoicePopup.Choice(
          key: String($0.label.lowercased().prefix(1)), text: $0.label, note: $0 == current ? "current" : "")
      } + [ChoicePopup.Choice(key: "n", text: "None", note: label == nil ? "current" : "")]
    return ChoicePopup(title: "Label", choices: choices, highlighted: current.flatMap(colors.firstIndex) ?? 0) {
      onChoice($0 < colors.count ? colors[$0].label : nil)
    }
  }
}

extension LabelColor {
  /// The English name, which is the label that Lightroom writes.
  var label: String {
    switch self {
    case .red: "Red"
    case .yellow: "Yellow"
    case .green: "Green"
    case .blue: "Blue"
    case .purple: "Purple"
    }
  }
}

extension PhotoRating {
  /// The signs of the rating, each with its role: the stars or the cross of a rejected photo, and the label.
  var signs: [(text: String, role: Role)] {
    var signs: [(String, Role)] = []
    switch stars {
    case PhotoRating.rejected: signs.append(("✗ Rejected", .negative))
    case .some(1...5): signs.append((String(repeating: "★", count: stars ?? 0), .accent))
    default: break
    }
    if let label { signs.append(LabelColor(label).map { ("■", .label($0)) } ?? (label.printable, .secondary)) }
    return signs
  }
}
