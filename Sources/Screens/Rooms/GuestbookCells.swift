import Gallery
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

/// The columns in which the rows of the form are aligned. The label starts below the heading.
enum FormColumns {
  /// The start of the field and of the button below it.
  static let field = 5
  /// The start of the texts in and below the field.
  static let text = 6
}

extension Surface {
  /// Draws the ground of a field or a button, or brackets if there are too few colors for a ground.
  /// - Returns: The surface with that ground.
  fileprivate func withControlGround() -> Surface {
    let control = on(.idleSelection)
    guard theme.style(.text, on: .idleSelection).background == nil else {
      control.clear()
      return control
    }
    put("[", .secondary)
    putRight("]", .secondary)
    return self
  }
}

/// The field for a name, with the fault of the name below it. Blank lines set the form apart if there is room.
@MainActor
final class NameFieldCell: RowCell {
  /// The inputs of the form.
  var inputs: GuestbookInputs?
  private let context: CellContext
  private var row: NameFieldRow?
  private var binding: Subscription?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.isRoomy ? 3 : 2 }

  func bind(_ row: NameFieldRow) {
    self.row = row
    row.input = inputs.map { NameFieldRow.Input(name: $0.$name) }
    binding = row.output.fault.bind { [unowned self] _ in context.onChange() }
  }

  func release() {
    row?.input = nil
    row = nil
    binding = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    // The ground belongs to the field, not to its row.
    let form = surface.on(.window)
    form.clear()
    let line = context.isRoomy ? 1 : 0
    form.put(localized("Name"), row: line, isHighlighted ? .heading : .idleHeading)
    let place = Rect(
      column: surface.bounds.column + FormColumns.field, row: surface.bounds.row + line,
      columns: surface.bounds.columns - FormColumns.field - 1, rows: 1)
    let field = form.clipped(to: place).withControlGround()
    inputs?.field.draw(
      hint: localized("Who are you?"), hasFocus: isHighlighted, on: field.clipped(to: place.inset(columns: 1)))
    if let fault = row.output.fault.value {
      let room = surface.bounds.columns - FormColumns.text
      form.put(CellText(fault, truncatedTo: room), column: FormColumns.text, row: line + 1, .accent)
    }
  }
}

extension CellContext {
  /// Whether there is room for blank lines around the form.
  fileprivate var isRoomy: Bool { rowSize != .compact }
}

/// The button that signs the guestbook.
@MainActor
final class ValidateCell: RowCell {
  /// The inputs of the form.
  var inputs: GuestbookInputs?
  private var row: ValidateRow?

  init(_: CellContext) {}

  static func height(_: CellContext) -> Int { 1 }

  func bind(_ row: ValidateRow) {
    self.row = row
    row.input = inputs.map { ValidateRow.Input(press: $0.validate) }
  }

  func release() {
    row?.input = nil
    row = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let form = surface.on(.window)
    form.clear()
    let label = CellText("  \(row.title)  ")
    if isHighlighted {
      form.put(label, column: FormColumns.field, .button)
    } else {
      let place = Rect(
        column: surface.bounds.column + FormColumns.field, row: surface.bounds.row, columns: label.width, rows: 1)
      form.clipped(to: place).withControlGround().put(row.title, column: 2, .title)
    }
  }
}

/// The greeting after a visitor has signed, close to the button. A blank line sets the entries apart if there is room.
@MainActor
final class GreetingCell: RowCell {
  private let context: CellContext
  private var row: GreetingRow?
  private var binding: Subscription?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.isRoomy ? 2 : 1 }

  func bind(_ row: GreetingRow) {
    self.row = row
    binding = row.output.greeting.bind { [unowned self] _ in context.onChange() }
  }

  func release() {
    row = nil
    binding = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let form = surface.on(.window)
    form.clear()
    let room = max(0, surface.bounds.columns - FormColumns.text - 1)
    form.put(CellText(row.output.greeting.value, truncatedTo: room), column: FormColumns.text, .positive)
  }
}

/// An entry of the guestbook: a name, with the date at the right.
@MainActor
final class GuestbookEntryCell: RowCell {
  private var row: GuestbookEntryRow?

  /// The room that the long form of the date must leave to the name, in columns.
  private static let narrowestName = 24

  init(_: CellContext) {}

  static func height(_: CellContext) -> Int { 1 }

  func bind(_ row: GuestbookEntryRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let line = surface.clipped(to: surface.bounds.split(columns: surface.bounds.columns - 1).0)
    // The choice doesn't depend on the name, so that the dates are below each other.
    let hasLongDate = line.bounds.columns - CellText(row.date).width > Self.narrowestName
    let end = line.putRight(hasLongDate ? row.date : row.shortDate, .secondary) - 1
    line.put(CellText(row.name, truncatedTo: end), .title)
  }
}
