/// The rows of a list.
///
/// A list may create a row when it is first requested, so that a list of a million photos costs nothing.
@MainActor
public protocol RowList {
  /// The number of rows.
  var count: Int { get }
  /// Returns the row at an index, counted from 0.
  func row(at index: Int) -> any RowViewModel
  /// Whether all rows have the same type, so that all cells have the same height.
  var areAlike: Bool { get }
  /// Returns whether a row belongs to a section.
  func isInSection(_ index: Int) -> Bool
  /// Returns the heading of the section that a row belongs to; nil if it belongs to none.
  func section(ofRow index: Int) -> String?
  /// Returns whether a row is the first of its section.
  func beginsSection(_ index: Int) -> Bool
  /// Returns the index of the row with the same identifier as a row of another list, or nil if there is none.
  func index(of row: any RowViewModel) -> Int?
}

extension RowList {
  /// Returns whether the list has a row at an index.
  public func contains(row index: Int) -> Bool { (0..<count).contains(index) }
}

extension Array: @MainActor RowList where Element == any RowViewModel {
  public func row(at index: Int) -> any RowViewModel { self[index] }

  public var areAlike: Bool {
    guard let first else { return true }
    return allSatisfy { type(of: $0) == type(of: first) }
  }

  public func isInSection(_ index: Int) -> Bool { self[index].section != nil }

  public func section(ofRow index: Int) -> String? { self[index].section }

  public func beginsSection(_ index: Int) -> Bool {
    guard let section = self[index].section else { return false }
    return index == 0 || self[index - 1].section != section
  }

  public func index(of row: any RowViewModel) -> Int? { firstIndex { $0.id == row.id } }
}
