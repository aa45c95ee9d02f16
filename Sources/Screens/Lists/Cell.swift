import Terminal
import ViewModels

/// The view of a row, for one type of rows.
///
/// A cell is bound to a row while the row is on the screen. After its release it may be bound to another row:
///
/// ```swift
/// final class OfferCell: RowCell {
///   private var row: OfferRow?
///   init(_: CellContext) {}
///   static func height(_: CellContext) -> Int { 1 }
///   func bind(_ row: OfferRow) { self.row = row }
///   func release() { row = nil }
///   func draw(isHighlighted: Bool, on surface: Surface) {
///     if let row { surface.put(CellText(row.title)) }
///   }
/// }
/// ```
@MainActor
protocol RowCell: AnyObject {
  associatedtype Row: RowViewModel

  init(_ context: CellContext)

  /// Returns the height of the cell in lines of the screen.
  static func height(_ context: CellContext) -> Int

  /// Shows a row, and observes what changes in it.
  func bind(_ row: Row)
  /// Ends the observation of the row and forgets it.
  func release()
  /// Draws the row on the whole surface.
  func draw(isHighlighted: Bool, on surface: Surface)
}

/// The parts of the screen that cells use.
@MainActor
struct CellContext {
  /// The layer that draws images.
  let images: ImageLayer
  /// The spinner that all parts of the screen share.
  let spinner: SharedSpinner
  /// Requests a frame.
  let onChange: () -> Void
  /// The size of rows that have several.
  var rowSize = RowSize.normal
  /// The height of a row beside a thumbnail of the normal size, in lines.
  var thumbnailHeight = RowSize.thumbnailHeights.lowerBound

  /// The height of rows that have several sizes, in lines.
  var rowHeight: Int {
    switch rowSize {
    case .compact: 1
    case .normal: thumbnailHeight
    case .large: 2 * thumbnailHeight
    }
  }
}

/// The sizes of a photo's row in the list.
public enum RowSize: String, CaseIterable, Sendable {
  /// One line.
  case compact
  /// Three lines beside a thumbnail, or more in a high window.
  case normal
  /// Twice as many lines beside a larger thumbnail.
  case large

  /// The heights of normal rows, in lines.
  static let thumbnailHeights = 3...6

  /// Returns the height of normal rows in a window, which has room for ten or so of them.
  static func thumbnailHeight(inWindowOf rows: Int) -> Int {
    min(max(rows / 11, thumbnailHeights.lowerBound), thumbnailHeights.upperBound)
  }

  /// The size after this one, as a key goes through them.
  var next: RowSize {
    switch self {
    case .compact: .normal
    case .normal: .large
    case .large: .compact
    }
  }
}

/// A cell whose type of row is erased.
@MainActor
final class AnyCell {
  let draw: (_ isHighlighted: Bool, _ surface: Surface) -> Void
  fileprivate let bind: (any RowViewModel) -> Void
  fileprivate let release: () -> Void

  fileprivate init<Cell: RowCell>(_ cell: Cell) {
    draw = cell.draw
    bind = { row in
      guard let row = row as? Cell.Row else {
        preconditionFailure("A cell for \(Cell.Row.self) was bound to a \(type(of: row)).")
      }
      cell.bind(row)
    }
    release = cell.release
  }
}

/// The types of rows that a list shows, each with the cell that draws it.
///
/// ```swift
/// let kinds = CellKinds().adding(WallPhotoCell.self).adding(MemberCell.self)
/// ```
@MainActor
struct CellKinds {
  /// The cell of one type of row.
  struct Kind {
    let height: @MainActor (CellContext) -> Int
    let make: @MainActor (CellContext) -> AnyCell
  }

  private var kinds: [ObjectIdentifier: Kind] = [:]

  /// Returns the kinds with one more cell. A cell replaces an earlier one for the same type of row.
  ///
  /// - Parameter prepare: Gives each new cell what it needs besides its context.
  func adding<Cell: RowCell>(_: Cell.Type, prepare: @escaping @MainActor (Cell) -> Void = { _ in }) -> CellKinds {
    var result = self
    result.kinds[ObjectIdentifier(Cell.Row.self)] = Kind(
      height: { Cell.height($0) },
      make: { context in
        let cell = Cell(context)
        prepare(cell)
        return AnyCell(cell)
      })
    return result
  }

  /// Returns the cell for a row. A row of a type without a cell is a programming error and stops the program.
  func kind(of row: any RowViewModel) -> Kind {
    guard let kind = kinds[ObjectIdentifier(type(of: row))] else {
      preconditionFailure("No cell is registered for \(type(of: row)). Add one to the list's CellKinds.")
    }
    return kind
  }

  /// Returns the height of a row in lines of the screen.
  func height(of row: any RowViewModel, _ context: CellContext) -> Int { kind(of: row).height(context) }
}

/// The cells of the rows on the screen, and the released cells that can be bound again.
@MainActor
final class CellPool {
  private let kinds: CellKinds
  private let context: CellContext
  /// The bound cells by the identity of their rows. Identifiers would not do: a source may use one twice.
  private var bound: [ObjectIdentifier: (row: any RowViewModel, cell: AnyCell)] = [:]
  private var free: [ObjectIdentifier: [AnyCell]] = [:]

  init(kinds: CellKinds, context: CellContext) {
    self.kinds = kinds
    self.context = context
  }

  /// Binds a cell to each row on the screen, and releases all other cells.
  func show(_ rows: [any RowViewModel]) {
    let staying = Set(rows.map { ObjectIdentifier($0) })
    for (id, entry) in bound where !staying.contains(id) {
      entry.cell.release()
      free[ObjectIdentifier(type(of: entry.row)), default: []].append(entry.cell)
      bound[id] = nil
    }
    for row in rows where bound[ObjectIdentifier(row)] == nil {
      let cell = free[ObjectIdentifier(type(of: row))]?.popLast() ?? kinds.kind(of: row).make(context)
      cell.bind(row)
      bound[ObjectIdentifier(row)] = (row, cell)
    }
  }

  /// Returns the cell that is bound to a row.
  func cell(of row: any RowViewModel) -> AnyCell? { bound[ObjectIdentifier(row)]?.cell }
}
