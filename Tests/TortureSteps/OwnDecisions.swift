import Gallery
import Services
import Torture

/// Random decisions about some photos that no other copy of the program makes, so that they should all be there in the end.
struct OwnDecisions {
  /// The decisions that a copy makes by its number.
  static let all: [[Decision]] = [[.rating, .caption], [.takenAt, .label], [.latitude, .longitude, .city]]

  private let own: [Decision]
  private let shots: [Shot]
  private var random: SplitMix
  private var values: [FilePath: [Decision: DecisionValue]] = [:]

  init(number: Int, photos: FilePath) {
    own = Self.all[number % Self.all.count]
    shots = Shot.all(in: photos)
    random = SplitMix(seed: number)
  }

  /// A line for each decision about a photo: the photo's name, the decision and its value.
  var lines: [String] {
    values.flatMap { photo, values in values.map { "\(photo.printableName) \($0.rawValue) \($1)" } }
  }

  /// Returns the next request.
  mutating func next() -> StepRequest {
    let some = Array(shots.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
    let decision = own.randomElement(using: &random) ?? .rating
    let change = NumberedDecision(decision, Int.random(in: 10...59, using: &random))
    for file in some.flatMap(\.photos).compactMap(\.file) {
      for (decision, value) in change.values { values[file, default: [:]][decision] = value }
    }
    return StepRequest(.decision(change.change), forShots: some.map(\.photos))
  }
}

/// A change of a decision, with a value that a number gives it.
struct NumberedDecision {
  let change: DecisionChange
  let values: [Decision: DecisionValue]

  /// - Parameter number: A number from 10 to 59.
  init(_ decision: Decision, _ number: Int) {
    values =
      switch decision {
      case .rating: [.rating: .number(number % 5 + 1)]
      case .takenAt: [.takenAt: .text("2026-05-03T14:03:\(number)")]
      case .latitude, .longitude: [.latitude: .text("\(number),30.000000N"), .longitude: .text("10,\(number).000000W")]
      default: [decision: .text("\(decision.rawValue) \(number)")]
      }
    var edits = DecisionEdits()
    for (decision, value) in values { edits[decision] = .set(value) }
    change =
      switch decision {
      case .takenAt: .planned(edits, by: .clock("+1:00:00"))
      case .latitude, .longitude: .planned(edits, by: .track("way.gpx"))
      case .city: .planned(edits, by: .texts)
      default: .set(decision, values[decision])
      }
  }
}
