import ImageWire
import Images
import Photos
import Screens

/// The settings of the configuration file, and the defaults for everything else.
public struct Configuration: Equatable, Sendable {
  /// The settings that a running gallery takes on.
  public var settings = Settings()
  /// Whether the screen has words in place of lines and signs.
  public var isPlain = false
  /// The number of colors to draw with; nil for the terminal's own.
  public var colors: ColorDepth?
  /// The memory for prepared images in units of 2^20 bytes.
  public var memory = ImageLoader.usualMegabytes
  /// The names of new sidecars.
  public var sidecars = SidecarNames.long
  /// The sources that the user has named.
  public var sources: [NamedSource] = []
  /// The presets of exports.
  public var exports: [ExportPreset] = []
  /// The templates of metadata.
  public var templates: [MetadataTemplate] = []
  /// The endings of the names of edited versions, which are shown as one photo with the original.
  public var editedEndings = PhotoParts.usualEndings

  /// Creates the configuration of a user without a file.
  public init() {}
}

/// The files that a configuration may name.
public struct Choices: Sendable {
  /// The themes.
  public let themes: Themes
  /// The folder of the configuration, in which the files are that it names; nil if there is no home folder.
  let folder: String?
  /// Returns the names of the interface's languages, such as `de`.
  let languages: @Sendable () -> [String]

  /// - Parameters:
  ///   - folder: The folder of the configuration.
  ///   - languages: Returns the names of languages. It is called only if a file names one.
  public init(themes: Themes, folder: String? = nil, languages: @escaping @Sendable () -> [String]) {
    self.themes = themes
    self.folder = folder
    self.languages = languages
  }
}

/// The names of new sidecars.
public enum SidecarNames: String, CaseIterable, Sendable {
  /// `a.jpg.xmp`, as darktable and digiKam name them.
  case long
  /// `a.xmp`, as Lightroom names them.
  case short
}
