import Gallery
import Terminal
import ViewModels

extension Action {
  /// Returns the reason why the user can't decide about a photo.
  @MainActor
  static func cannotDecide(about photo: Any?) -> String {
    isInArchive(photo) ? inArchive : localized("Only the photos of a folder can be rated.")
  }

  /// Returns the reason why the source of a photo can't keep a decision that it would have to, or nil if it can.
  @MainActor
  static func cannotKeep(_ decision: Decision, by deciding: PhotoDeciding?) -> String? {
    guard let deciding, !deciding.possible.contains(decision) else { return nil }
    return switch decision {
    case .favorite: localized("Only Immich servers have favorites.")
    case .label: localized("The server keeps no labels. Give stars or keywords.")
    case .orientation: localized("The server keeps no rotations.")
    case .crop: localized("The server keeps no crops.")
    default: localized("The server of the photo can't keep this.")
    }
  }

  /// The reason why nothing can be done with a photo that changes its file, or needs one.
  static var inArchive: String { localized("It is in an archive or a PDF, which is never changed. Export it first.") }

  /// Returns the reason why no other program can be given the file of a photo, or nil if one can.
  @MainActor
  static func cannotLeave(_ photo: Any?) -> String? {
    if isInArchive(photo) { return inArchive }
    let isRemote = (photo as? any Imaged)?.image.isRemote ?? false
    return isRemote ? localized("It is on another machine. Copy it to a folder here first.") : nil
  }

  @MainActor
  static func isInArchive(_ photo: Any?) -> Bool {
    (photo as? any Imaged)?.image.file?.isInArchive == true
  }

  private static let stars: [(Command, Int)] = [
    (.rateNone, 0), (.rateOne, 1), (.rateTwo, 2), (.rateThree, 3), (.rateFour, 4), (.rateFive, 5),
  ]
  private static let labels: [(Command, ColorLabel)] = [
    (.labelRed, .red), (.labelYellow, .yellow), (.labelGreen, .green), (.labelBlue, .blue),
  ]

  /// Returns an action for each command that rates photos. A label that all of them have is removed, and photos that are all
  /// rejected are accepted.
  ///
  /// - Parameters:
  ///   - photos: Returns the decisions about the photos.
  ///   - isRejected: Whether the photos are known to be rejected, so that the key's label says what it does.
  ///   - rateLabel: The label of the keys for stars; nil for the usual one.
  ///   - rejectLabel: The label of the key that rejects; nil for the usual one.
  ///   - deciding: The decisions about the photos.
  @MainActor
  static func ratings(
    of photos: @escaping @MainActor () -> [PhotoDecisions], isRejected: Bool, rateLabel: String? = nil,
    rejectLabel: String? = nil, refusal: String?, by deciding: PhotoDeciding?,
    decide: @escaping @MainActor (DecisionChange) -> Void
  ) -> [Action] {
    let labelRefusal = refusal ?? cannotKeep(.label, by: deciding)
    return stars.map { command, count in
      Action(command, label: command == .rateOne ? rateLabel : nil, refusal: refusal) { decide(.rating(count)) }
    }
      + labels.map { command, color in
        Action(command, refusal: labelRefusal) {
          let isRemoved = photos().allSatisfy { $0.label.flatMap(ColorLabel.init(name:)) == color }
          decide(.label(isRemoved ? nil : color.rawValue))
        }
      } + [
        Action(.favorite, refusal: refusal ?? cannotKeep(.favorite, by: deciding)) {
          decide(.set(.favorite, photos().allSatisfy(\.isFavorite) ? nil : 1))
        },
        Action(.reject, label: isRejected ? localized("Accept") : rejectLabel, refusal: refusal) {
          decide(.rating(photos().allSatisfy(\.isRejected) ? 0 : PhotoDecisions.rejected))
        },
      ]
  }

  /// Returns the actions that rate and label a photo, and change its keywords and its caption.
  ///
  /// - Parameters:
  ///   - refusal: The reason why no decision is accepted at the moment, or nil.
  ///   - rateLabel: The label of the keys for stars; nil for the usual one.
  ///   - open: Called with a popup in which the user chooses or types.
  ///   - onChange: Called when a popup changes without a key.
  ///   - decide: Called with the decision.
  @MainActor @ActionList
  static func deciding(
    about photo: any Decidable, refusal: String? = nil, rateLabel: String? = nil,
    open: @escaping @MainActor (any Popup) -> Void,
    onChange: @escaping @MainActor () -> Void, decide: @escaping @MainActor (DecisionChange) -> Void
  ) -> [Action] {
    let refusal = photo.deciding == nil ? cannotDecide(about: photo) : refusal
    ratings(
      of: { [photo.decisions] }, isRejected: photo.decisions.isRejected, rateLabel: rateLabel, refusal: refusal,
      by: photo.deciding, decide: decide)
    Action(.label, refusal: refusal ?? cannotKeep(.label, by: photo.deciding)) {
      open(.label(photo.decisions.label) { decide(.label($0)) })
    }
    Action(.keywords, refusal: refusal ?? cannotKeep(.keywords, by: photo.deciding) ?? photo.notReadRefusal) {
      let popup = KeywordsPopup(of: [photo.decisions], onEnter: decide)
      popup.offerKeywords(of: photo.deciding, onCount: onChange)
      open(popup)
    }
    Action(.caption, refusal: refusal ?? cannotKeep(.caption, by: photo.deciding)) {
      open(.caption(of: [photo.decisions], onEnter: decide))
    }
  }

  /// Returns the reason why a photo's files can't be moved.
  @MainActor
  static func cannotMove(_ photo: Any?) -> String {
    if isInArchive(photo) { return inArchive }
    let isOnServer = (photo as? any Decidable)?.deciding?.movesFiles == false
    return isOnServer
      ? localized("It is on a server. Copy it to a folder first.")
      : localized("Only the photos of a folder can be moved.")
  }

  /// Returns the actions that move a photo, or the shown one of its files, to the trash.
  ///
  /// - Parameters:
  ///   - refusal: The reason why files can't be moved at the moment, or nil.
  ///   - trash: Moves the photo; nil for the photo of the row.
  @MainActor @ActionList
  static func trashing(
    _ row: (any Decidable)?, refusal: String?, label: String? = nil, trash: (@MainActor () -> Void)? = nil
  ) -> [Action] {
    Action(.trash, label: label, refusal: refusal) { if let trash { trash() } else { row?.trash() } }
    let isPair = (row as? any MultiFile)?.fileName != nil
    Action(.trashFile, refusal: refusal ?? (isPair ? nil : localized("The photo has one file."))) {
      row?.trashShownFile()
    }
  }

  /// Returns the actions that go back and forth through the steps.
  /// - Parameter open: Called with a popup that asks before many steps are undone.
  @MainActor @ActionList
  static func stepping(_ deciding: PhotoDeciding, open: @escaping @MainActor (any Popup) -> Void) -> [Action] {
    Action(.undo) { deciding.undo() }
    Action(.undoSession) {
      open(
        ChoicePopup(
          title: localized("Undo the session?"),
          choices: [
            .init(key: "n", text: localized("Keep all steps")), .init(key: "y", text: localized("Undo all steps")),
          ]
        ) { if $0 == 1 { deciding.undoSession() } })
    }
    Action(.redo) { deciding.redo() }
    Action(.toggleAdvance) { deciding.toggleAdvance() }
  }
}

extension Popup where Self == FieldPopup {
  /// Makes the field for the caption of photos. It has the caption that all of them have, with a pilcrow for each line
  /// break.
  ///
  /// - Parameter onEnter: Called with the change when the user accepts it.
  @MainActor
  static func caption(of photos: [PhotoDecisions], onEnter: @escaping (DecisionChange) -> Void) -> FieldPopup {
    let captions = Set(photos.map(\.caption))
    let shared = captions.count == 1 ? photos.first?.caption : nil
    let signs = ["¶", "⏎", "␤"]
    let lineBreak = signs.first { shared?.contains($0) != true } ?? signs[0]
    let line = shared?.replacing("\n", with: lineBreak) ?? ""
    return FieldPopup(
      title: photos.count == 1 ? localized("Caption") : localized("Caption of \(photos.count.photosText)"),
      label: shared?.contains("\n") == true
        ? localized("Caption (\(lineBreak) begins a new line)") : localized("Caption"),
      text: line, button: localized("Save"), isOptional: true
    ) { text in
      let caption = text.allSatisfy(\.isWhitespace) ? nil : text.replacing(lineBreak, with: "\n")
      if captions != [caption] { onEnter(.caption(caption)) }
    }
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
    let colors = ColorLabel.allCases.filter(\.hasColor)
    let current = label.flatMap(ColorLabel.init(name:))
    let choices =
      colors.map {
        ChoicePopup.Choice(
          key: String($0.rawValue.lowercased().prefix(1)), text: $0.text,
          note: $0 == current ? localized("current") : "")
      } + [
        ChoicePopup.Choice(
          key: "n", text: localized("None", context: "no label"), note: label == nil ? localized("current") : "")
      ]
    return ChoicePopup(
      title: localized("Label"), choices: choices, highlighted: current.flatMap(colors.firstIndex) ?? 0
    ) {
      onChoice($0 < colors.count ? colors[$0].rawValue : nil)
    }
  }
}

extension Decidable {
  /// The reason why nothing can be changed that the photo's own file contains, too, or nil if it can.
  var notReadRefusal: String? { isRead ? nil : localized("The photo has not been read.") }
}
