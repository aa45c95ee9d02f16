import Gallery

/// A row of a list.
///
/// A list may mix rows of several types. A screen registers a cell for each type of row that it shows. A row adopts
/// ``Pressable``, ``Detailed`` and the other protocols of this file for what can be done with it:
///
/// ```swift
/// final class OfferRow: RowViewModel, Pressable {
///   let id: AnyHashable
///   let title: String
///   func press() { ... }
/// }
/// ```
@MainActor
public protocol RowViewModel: AnyObject {
  /// The identifier of what the row shows, which stays the same when the list is reloaded.
  var id: AnyHashable { get }
  /// The heading of the row's section, or nil for none. It appears above the first row of each section.
  var section: String? { get }
  /// The words that the row says besides the name in its detail, such as a price, for those who do not see it.
  var words: [String] { get }
}

extension RowViewModel {
  public var section: String? { nil }
  public var words: [String] { [] }
}

/// A row with a main action, such as opening a photo.
@MainActor
public protocol Pressable {
  /// Performs the main action of the row.
  func press()
}

/// A row of an item for sale.
@MainActor
public protocol Buyable {
  /// Adds one of the item to the basket.
  func putInBasket()
  /// Removes one of the item from the basket.
  func takeOutOfBasket()
}

/// A row with an image.
@MainActor
public protocol Imaged {
  /// The location of the image.
  var image: ImageLocation { get }
  /// The number of quarters by which the user has rotated the image clockwise.
  var quarters: Int { get }
}

extension Imaged {
  public var quarters: Int { 0 }
}

/// A row that can be marked.
@MainActor
public protocol Markable {
  /// Whether the row is marked.
  var isMarked: Bool { get }
  /// Marks or unmarks the row.
  func toggleMark()
}

/// A row of a photo that the user can decide about.
@MainActor
public protocol Decidable {
  /// The decisions of the list; nil if its photos have no sidecars.
  var deciding: PhotoDeciding? { get }
  /// The decisions about the photo.
  var decisions: PhotoDecisions { get }
  /// Whether the photo's file has been read, so that its own keywords and orientation are known.
  var isRead: Bool { get }
  /// Makes a change for the photo.
  func decide(_ change: DecisionChange)
  /// Moves the photo's files to the trash.
  func trash()
  /// Moves the shown file of several to the trash.
  func trashShownFile()
}

/// A row of a photo that may have several files, such as a raw file and a JPEG.
@MainActor
public protocol MultiFile {
  /// The images of all files, the one that is usually shown first.
  var fileImages: [ImageLocation] { get }
  /// The name of the shown file, or nil if the photo has one file.
  var fileName: String? { get }
  /// Shows the next file.
  func showOtherFile()
}

/// A row with a detail view.
@MainActor
public protocol Detailed {
  /// The content of the detail view.
  var detail: PhotoDetail { get }
}
