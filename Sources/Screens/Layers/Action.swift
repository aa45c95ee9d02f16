import Gallery
import ViewModels

/// One thing that a layer can do at the moment: the command that asks for it, why it is refused if it is, and how it is
/// done.
///
/// A layer that has no action for a command ignores the command's keys, and the next command of the key is tried.
struct Action {
  let command: Command
  /// The label in the footer, if it differs from the command table's.
  let label: String?
  /// The reason why the action is not possible at the moment, in one sentence; nil if it is possible.
  let refusal: String?
  /// Carries the action out. Call it only if ``isPossible``.
  let perform: @MainActor () -> Void

  init(
    _ command: Command, label: String? = nil, refusal: String? = nil, perform: @escaping @MainActor () -> Void
  ) {
    self.command = command
    self.label = label
    self.refusal = refusal
    self.perform = perform
  }

  /// Whether the action can be carried out at the moment. The footer offers only possible actions.
  var isPossible: Bool { refusal == nil }

  /// Returns an action for each command that moves through rows or lines.
  static func moves(refusal: String? = nil, perform: @escaping @MainActor (Move) -> Void) -> [Action] {
    Move.commands.map { command, move in Action(command, refusal: refusal) { perform(move) } }
  }
}

extension Action {
  /// Returns the action that shows another file of a row's photo.
  @MainActor
  static func otherFile(of row: (any RowViewModel)?) -> Action {
    let row = row as? any MultiFile
    return Action(.otherFile, refusal: row?.fileName == nil ? localized("The photo has one file.") : nil) {
      row?.showOtherFile()
    }
  }
}

extension Action {
  /// Returns the action that copies the image of a photo's row.
  @MainActor
  static func copyImage(of row: (any RowViewModel)?, copy: @escaping @MainActor (any RowViewModel) -> Void) -> Action {
    let isFile = (row as? any Imaged)?.image.file != nil
    let isRemote = (row as? any Imaged)?.image.isRemote ?? false
    let refusal = isRemote ? cannotLeave(row) : isFile ? nil : localized("Only the image of a file can be copied.")
    return Action(.copyImage, refusal: refusal) {
      if let row { copy(row) }
    }
  }
}

extension Action {
  /// Returns the action that opens a map of the place where a photo was taken.
  @MainActor
  static func map(of detail: PhotoDetail?, open: @escaping @MainActor (String) -> Void) -> Action {
    let address = detail?.mapAddress
    return Action(.map, refusal: address == nil ? localized("The position of the photo is unknown.") : nil) {
      if let address { open(address) }
    }
  }
}

/// Builds a list of actions in which `if`, `switch` and whole lists may stand.
@resultBuilder
enum ActionList {
  static func buildExpression(_ action: Action) -> [Action] { [action] }
  static func buildExpression(_ actions: [Action]) -> [Action] { actions }
  static func buildBlock(_ parts: [Action]...) -> [Action] { Array(parts.joined()) }
  static func buildOptional(_ actions: [Action]?) -> [Action] { actions ?? [] }
  static func buildEither(first actions: [Action]) -> [Action] { actions }
  static func buildEither(second actions: [Action]) -> [Action] { actions }
}
