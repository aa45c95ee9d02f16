import Photos

/// The index of a row in a ``RowList``. The headings of sections don't count.
public typealias RowIndex = TypedIndex<any RowViewModel>

/// The rows of a list.
///
/// A list may create a row when it is first requested, so that a list of a million photos costs nothing.
@MainActor
public protocol RowList {
  /// The number of rows.
  var count: Int { get }
  /// Returns the row at an index.
  func row(at index: RowIndex) -> any RowViewModel
  /// Whether all rows have the same type, so that all cells have the same height.
  var areAlike: Bool { get }
  /// Returns whether a row belongs to a section.
  func isInSection(_ index: RowIndex) -> Bool
  /// Returns the heading of the section that a row belongs to; nil if it belongs to none.
  func section(ofRow index: RowIndex) -> String?
  /// Returns whether a row is the first of its section.
  func beginsSection(_ index: RowIndex) -> Bool
  /// Returns the index of the row with the same identifier as a row of another list, or nil if there is none.
  func index(of row: any RowViewModel) -> RowIndex?
}

extension RowList {
  /// Returns whether the list has a row at an index.
  public func contains(row index: RowIndex) -> Bool { (0..<count).contains(index.value) }
}

extension Array: @MainActor RowList where Element == any RowViewModel {
  public func row(at index: RowIndex) -> any RowViewModel { self[index.value] }

  public var areAlike: Bool {
    guard let first else { return true }
    return allSatisfy { type(of: $0) == type(of: first) }
  }

  public func isInSection(_ index: RowIndex) -> Bool { self[index.value].section != nil }

  public func section(ofRow index: RowIndex) -> String? { self[index.value].section }

  public func beginsSection(_ index: RowIndex) -> Bool {
    guard let section = self[index.value].section else { return false }
    return index == 0 || self[index.value - 1].section != section
  }

  public func index(of row: any RowViewModel) -> RowIndex? { firstIndex { $0.id == row.id }.map { RowIndex($0) } }
}
