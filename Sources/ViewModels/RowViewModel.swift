import Finding
import Gallery

/// What a row of a list shows. No row knows its list, and no list the kinds of row.
@MainActor
public protocol RowViewModel: AnyObject {
  /// The same for the same thing after a reload.
  var id: AnyHashable { get }
  /// The header above the first of the rows that have it in common; nil for none.
  var section: String? { get }
}

extension RowViewModel {
  public var section: String? { nil }
}

/// A row that does something when it is pressed.
@MainActor
public protocol Pressable {
  func press()
}

/// A row of something that can be bought.
@MainActor
public protocol Buyable {
  func putInBasket()
  func takeOutOfBasket()
}

/// A row with a small image.
@MainActor
public protocol Imaged {
  var image: ImageLocation { get }
}

/// A row that the person can choose among others.
@MainActor
public protocol Markable {
  var isMarked: Bool { get }
  func toggleMark()
}

/// A row of something that can be looked at whole.
@MainActor
public protocol Detailed {
  var detail: PhotoDetail { get }
}
