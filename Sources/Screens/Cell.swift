import Terminal
import ViewModels

/// Draws the rows of one kind, one at a time.
///
/// A cell is bound to a row when the row comes on the screen, and let go when it leaves; then it may be bound to another.
@MainActor
protocol RowCell: AnyObject {
  associatedtype Row: RowViewModel

  init(_ context: CellContext)

  /// How many lines of the screen it takes.
  static func height(_ context: CellContext) -> Int

  /// Takes up a row, with all that it shows live.
  func bind(_ row: Row)
  /// Lets go of it.
  func release()
  func draw(isHighlighted: Bool, on surface: Surface)
}

/// What cells need of the screen they are on.
@MainActor
struct CellContext {
  let images: ImageLayer
  let spinner: SharedSpinner
  /// Asks for a frame.
  let onChange: () -> Void
  /// Whether rows that can be of one line are to have three.
  var isTall = true
  /// Of the room with a form: what its rows' inputs come from.
  var form: GuestbookInputs?
}

/// A cell of any kind.
@MainActor
final class AnyCell {
  let draw: (_ isHighlighted: Bool, _ surface: Surface) -> Void
  fileprivate let bind: (any RowViewModel) -> Void
  fileprivate let release: () -> Void

  fileprivate init<Cell: RowCell>(_ cell: Cell) {
    draw = cell.draw
    bind = { if let row = $0 as? Cell.Row { cell.bind(row) } }
    release = cell.release
  }
}

/// Which cell draws which kind of row. The one place that knows the kinds.
@MainActor
struct CellKinds {
  private struct Kind {
    let height: @MainActor (CellContext) -> Int
    let make: @MainActor (CellContext) -> AnyCell
  }

  private var kinds: [ObjectIdentifier: Kind] = [:]

  func adding<Cell: RowCell>(_: Cell.Type) -> CellKinds {
    var result = self
    result.kinds[ObjectIdentifier(Cell.Row.self)] = Kind(
      height: { Cell.height($0) }, make: { AnyCell(Cell($0)) })
    return result
  }

  fileprivate static func kind(of row: any RowViewModel) -> ObjectIdentifier { ObjectIdentifier(type(of: row)) }

  /// A kind that nobody has added takes no room.
  func height(of row: any RowViewModel, _ context: CellContext) -> Int {
    kinds[Self.kind(of: row)]?.height(context) ?? 0
  }

  fileprivate func makeCell(for row: any RowViewModel, _ context: CellContext) -> AnyCell? {
    kinds[Self.kind(of: row)]?.make(context)
  }
}

/// The cells of the rows that are on the screen, and those that wait to be used again.
@MainActor
final class CellPool {
  private let kinds: CellKinds
  private let context: CellContext
  /// By the row itself: an id may occur twice in what others have made.
  private var bound: [ObjectIdentifier: (row: any RowViewModel, cell: AnyCell)] = [:]
  private var free: [ObjectIdentifier: [AnyCell]] = [:]

  init(kinds: CellKinds, context: CellContext) {
    self.kinds = kinds
    self.context = context
  }

  /// Says which rows are on the screen: their cells are bound, all others let go.
  func show(_ rows: [any RowViewModel]) {
    let staying = Set(rows.map { ObjectIdentifier($0) })
    for (id, entry) in bound where !staying.contains(id) {
      entry.cell.release()
      free[CellKinds.kind(of: entry.row), default: []].append(entry.cell)
      bound[id] = nil
    }
    for row in rows where bound[ObjectIdentifier(row)] == nil {
      guard let cell = free[CellKinds.kind(of: row)]?.popLast() ?? kinds.makeCell(for: row, context) else { continue }
      cell.bind(row)
      bound[ObjectIdentifier(row)] = (row, cell)
    }
  }

  func cell(of row: any RowViewModel) -> AnyCell? { bound[ObjectIdentifier(row)]?.cell }
}
