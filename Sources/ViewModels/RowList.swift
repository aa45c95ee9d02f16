/// The rows of a list, any number of them: a row need not be there before it is asked for.
@MainActor
public protocol RowList {
  var count: Int { get }
  func row(at index: Int) -> any RowViewModel
  /// Whether all rows are of one kind and without sections, so that one tells how high they are.
  var areAlike: Bool { get }
  /// Where the row is that stands for the same thing as one of another list; nil if it is not here.
  func index(of row: any RowViewModel) -> Int?
}

extension RowList {
  public func contains(row index: Int) -> Bool { (0..<count).contains(index) }
}

extension Array: @MainActor RowList where Element == any RowViewModel {
  public func row(at index: Int) -> any RowViewModel { self[index] }

  public var areAlike: Bool {
    guard let first else { return true }
    return allSatisfy { type(of: $0) == type(of: first) && $0.section == nil }
  }

  public func index(of row: any RowViewModel) -> Int? { firstIndex { $0.id == row.id } }
}
