import Finding
import Gallery
import Photos
import Terminal

/// The settings of the gallery's screens, which can change while it runs.
public struct Settings: Equatable, Sendable {
  /// The name of the language or locale of the interface, which is in use already; nil for the locale's.
  public var language: String?
  /// The colors of the interface.
  public var scheme = ColorScheme.standard
  /// The keys of all commands, and the user's own commands.
  public var keys = KeyConfiguration()
  /// The output format of images.
  public var images = OutputChoice.auto
  /// The characters that images are drawn with.
  public var glyphs = GlyphChoice.auto
  /// The size of the photos' rows in the list.
  public var rowSize = RowSize.normal
  /// The order of the photos.
  public var order = PhotoOrder()
  /// Whether the highlight moves on after a photo was rated.
  public var advances = true
  /// Whether animations play in the details and in the viewer.
  public var animations = true
  /// Whether similar photos are stacked.
  public var stacks = true
  /// Whether the program asks before it rejects the photos that were beaten in a comparison.
  public var rejectBeaten = RejectBeaten.ask
  /// The presets of exports; none if no program makes files.
  public var exportPresets: [ExportPreset] = []
  /// The templates of metadata.
  public var templates: [MetadataTemplate] = []
  /// The codes that captions, keywords and templates can have.
  public var codes = CodeList()

  /// Creates the settings of a program that has no configuration.
  public init() {}
}

/// The ways in which the key rejects the photos that were beaten in a comparison.
public enum RejectBeaten: String, CaseIterable, Sendable {
  /// After a question, once in a session.
  case ask
  /// At once.
  case yes
}
