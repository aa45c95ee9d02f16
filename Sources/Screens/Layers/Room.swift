import Finding
import Gallery
import Photos
import Terminal
import ViewModels

/// One of the gallery's rooms: the layer below all others.
@MainActor
protocol Room: Layer {
  /// The parts at the left of the header, from the widest choice to the narrowest; empty for the names of the rooms.
  var lead: [[HeaderPart]] { get }
  /// The parts of the text at the right of the header, the most important first. The header drops the last ones if they
  /// don't fit.
  var status: [StatusPart] { get }
  /// Whether the room is loading its rows.
  var isLoading: Bool { get }

  /// Takes note that the user enters the room. The first time, the room fetches its contents.
  func enter()
  /// Takes note that the user entered the room by a key that leads through all rooms: a text field must not take that key.
  func passThrough()
  /// Takes note that the user leaves the room, and unbinds its rows.
  func leave()
  /// Sets the size of photos' rows.
  func setRowSize(_ size: RowSize)
}

/// A part of the header's left side: the name of a room, a folder, or a term of the search.
struct HeaderPart {
  let text: String
  var role = Role.secondary
  /// The letter that stands out, because it leads here in the menu of ``Command/goTo``; nil for none.
  var letter: Character?
  /// The blank columns behind the part.
  var gap = 2
  /// The command that a click gives; nil for none.
  var command: Command?
  /// Called on a click if the part has no command; nil for nothing.
  var onClick: (@MainActor () -> Void)?

  /// Creates the tab of a room. The letter that leads there follows the name if the name doesn't contain it, as in other
  /// languages.
  static func tab(
    _ name: String, letter: Character?, isCurrent: Bool, onClick: @escaping @MainActor () -> Void
  ) -> HeaderPart {
    let missing = letter.flatMap { name.lowercased().contains($0) ? nil : " \($0)" } ?? ""
    return HeaderPart(
      text: Charset.isPlain && isCurrent ? "[\(name)\(missing)]" : name + missing,
      role: isCurrent ? .title : .secondary, letter: letter, onClick: onClick)
  }

  /// The name of the program.
  static let title = HeaderPart(text: "Tintype", role: .accent, gap: 3)

  /// The width in columns.
  var width: Int { CellText(text).width }
}

/// A part of a room's status.
struct StatusPart: Equatable {
  let text: String
  /// The command that a click on the part gives; nil for none.
  var command: Command?
}

extension [StatusPart] {
  /// The parts in one line.
  var text: String { map(\.text).joined(separator: " · ") }
}

extension Room {
  var lead: [[HeaderPart]] { [] }
  func passThrough() {}
  func setRowSize(_: RowSize) {}

  var extent: Extent { .room }
}

/// Compares a row's photo with others, and calls `onEnd` with the row of the photo at the cursor when the user leaves the
/// comparison.
typealias CompareAction = @MainActor (any RowViewModel, _ onEnd: @escaping @MainActor (RowIndex) -> Void) -> Void

/// What the viewer does with photos that are in a list of them.
struct PhotoActions {
  /// Compares the photo with others.
  let compare: CompareAction
  /// Gives the photo the texts of a template.
  let template: @MainActor (any RowViewModel) -> Void
  /// The reason why no template can be applied, or nil.
  let templateRefusal: @MainActor () -> String?
}

/// Makes the popup that ends a cull. It leaves the viewer by a closure.
typealias CullSummary = @MainActor (_ leave: @escaping () -> Void) -> any Popup

/// The window as a room sees it.
@MainActor
protocol RoomHost: AnyObject {
  /// The keys of all commands, for texts that name a key.
  var keys: CommandTable { get }

  /// Returns whether a layer gets the keys.
  func isTopmost(_ layer: any Layer) -> Bool

  func setNeedsDisplay()
  /// Shows an alert.
  /// - Parameter layer: The layer to reload if the user chooses that in the alert.
  func show(_ alert: Alert, from layer: any Layer)
  func open(_ popup: any Popup)
  /// Opens a popup over a layer. It is below those that are over the layer already.
  func open(_ popup: any Popup, over layer: any Layer)
  /// Copies a text to the user's clipboard, if the terminal supports that.
  /// - Returns: Whether the text is short enough for that.
  func copy(_ text: String) -> Bool
  /// The clipboard for images.
  var clipboard: any ImageClipboard { get }
  /// Shows a text in the footer until the next key.
  func note(_ text: String)
  /// Keeps the order in which the user has sorted the photos, for the next time that they are opened.
  func keep(order: PhotoOrder)
  /// Makes the view model of the field for a folder that photos go to.
  /// - Parameter folder: The open folder.
  func destination(from folder: FilePath) -> DestinationViewModel
  /// Makes the view model of a field for a folder.
  /// - Parameters:
  ///   - folder: The folder in which relative paths begin.
  ///   - named: The places that are offered first.
  func destination(from folder: FilePath, named: [Place]) -> DestinationViewModel
  /// Opens a folder in place of the open source, and shows a photo as soon as it is there.
  func open(folder: FilePath, at photo: ImageLocation?)
  /// Opens another source in place of the open one.
  func open(_ place: Place)
  /// The collections of photos.
  var collections: PhotoCollections { get }
  /// The presets of exports; none if there is no program that makes files.
  var exportPresets: [ExportPreset] { get }
  /// The templates of metadata.
  var templates: [MetadataTemplate] { get }
  /// The clock of pauses and slideshows.
  var clock: any Clock<Duration> { get }
  /// Opens the viewer.
  /// - Parameters:
  ///   - summary: Returns the popup that ends a cull; nil without a cull.
  ///   - photos: What the viewer does with a row's photo; nil if the rows are not photos.
  func view(_ viewer: ViewerViewModel, summary: CullSummary?, photos: PhotoActions?)
  /// Opens a comparison.
  /// - Parameter onEnd: Called when the user leaves it.
  func compare(_ comparison: PhotoComparison, onEnd: @escaping () -> Void)
}
