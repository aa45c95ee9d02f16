import Terminal
import ViewModels

/// The inputs of the form, to which its rows are bound while they are on the screen.
@MainActor
final class GuestbookInputs {
  /// The field's editor, which keeps the text while the row is not on the screen.
  let field = FieldEditor(longest: 256)
  @Published private(set) var name = ""
  let validate = Subject<Void>()

  init() {
    field.onChange = { [unowned self] in name = $0 }
  }
}

/// The field for a name, with the fault of the name below it.
@MainActor
final class NameFieldCell: RowCell {
  private let context: CellContext
  private var row: NameFieldRow?
  private var binding: Subscription?

  init(_ context: CellContext) { self.context = context }

  static func height(_: CellContext) -> Int { 3 }

  func bind(_ row: NameFieldRow) {
    self.row = row
    row.input = context.form.map { NameFieldRow.Input(name: $0.$name) }
    binding = row.output.fault.bind { [unowned self] _ in context.onChange() }
  }

  func release() {
    row?.input = nil
    (row, binding) = (nil, nil)
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let inside = surface.clipped(to: surface.bounds.inset(columns: 1))
    let label = inside.put("Name", row: 1, .secondary) + 2
    let place = Rect(
      column: inside.bounds.column + label, row: inside.bounds.row + 1, columns: min(48, inside.bounds.columns - label),
      rows: 1)
    context.form?.field.draw(hint: "Who are you?", hasFocus: isHighlighted, on: inside.clipped(to: place).on(.image))
    if let fault = row.output.fault.value {
      inside.put(CellText(fault, truncatedTo: inside.bounds.columns - label), column: label, row: 2, .accent)
    }
  }
}

/// The button that signs the guestbook.
@MainActor
final class ValidateCell: RowCell {
  private let context: CellContext
  private var row: ValidateRow?

  init(_ context: CellContext) { self.context = context }

  static func height(_: CellContext) -> Int { 1 }

  func bind(_ row: ValidateRow) {
    self.row = row
    row.input = context.form.map { ValidateRow.Input(press: $0.validate) }
  }

  func release() {
    row?.input = nil
    row = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    surface.put("  \(row.title)  ", column: 7, isHighlighted ? .button : .title)
  }
}

/// The greeting after a visitor has signed.
@MainActor
final class GreetingCell: RowCell {
  private let context: CellContext
  private var row: GreetingRow?
  private var binding: Subscription?

  init(_ context: CellContext) { self.context = context }

  static func height(_: CellContext) -> Int { 2 }

  func bind(_ row: GreetingRow) {
    self.row = row
    binding = row.output.greeting.bind { [unowned self] _ in context.onChange() }
  }

  func release() { (row, binding) = (nil, nil) }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    surface.put(CellText(row.output.greeting.value, truncatedTo: max(0, surface.bounds.columns - 8)), column: 7, .title)
  }
}

/// An entry of the guestbook: a name and a date.
@MainActor
final class GuestbookEntryCell: RowCell {
  private var row: GuestbookEntryRow?

  init(_: CellContext) {}

  static func height(_: CellContext) -> Int { 1 }

  func bind(_ row: GuestbookEntryRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let inside = surface.clipped(to: surface.bounds.inset(columns: 1))
    let end = inside.putRight(row.date, .secondary) - 1
    inside.put(CellText(row.name, truncatedTo: end))
  }
}
