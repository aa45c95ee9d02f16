import Gallery

/// A contact sheet that is to be made of photos.
public struct PhotoSheet: Hashable, Codable, Sendable {
  /// A photo of the sheet.
  public struct Item: Hashable, Codable, Sendable {
    /// The path of the file.
    public let file: FilePath
    /// The photo's metadata with the decisions, as the gallery shows them.
    public let shown: MetadataRecord

    /// Creates a photo of a sheet.
    public init(_ file: FilePath, shown: MetadataRecord) {
      self.file = file
      self.shown = shown
    }
  }

  /// The format of the new file.
  public var format = SheetFormat.pdf
  /// The photos on a page. A web page has no grid.
  public var grid = PageGrid.standard
  /// The size of the paper.
  public var paper = SheetPaper.a4
  /// The title, or nothing.
  public var title = ""
  /// The photos.
  public var items: [Item]
  /// The folder from which the photos' names begin; nil for none.
  public var folder: FilePath?
  /// The path of the new file. Several pages of PNGs get numbers.
  public var target: FilePath

  /// Creates a PDF of photos.
  public init(of items: [Item], in folder: FilePath?, to target: FilePath) {
    self.items = items
    self.folder = folder
    self.target = target
  }

  /// Returns the sheet with other paths for its files.
  public func mapped(_ path: (FilePath) -> FilePath) -> PhotoSheet {
    var sheet = self
    sheet.items = items.map { Item(path($0.file), shown: $0.shown) }
    sheet.folder = folder.map(path)
    sheet.target = path(target)
    return sheet
  }

  /// The number of pages; 1 for a web page.
  public var pageCount: Int { format == .html ? 1 : max(1, (items.count + grid.count - 1) / grid.count) }

  /// The paths of the new files.
  public var targets: [FilePath] {
    format == .png && pageCount > 1 ? (1...pageCount).map(target.withNumber) : [target]
  }

  /// Returns the sheet of named photos in words, such as `Contact sheet oslo.pdf: 36 photos`.
  public func title(for name: String) -> String { localized("Contact sheet \(target.printableName): \(name)") }
}

/// A service that makes contact sheets.
public protocol SheetMakerProtocol: Sendable {
  /// Makes the new files of a sheet in an existing folder.
  ///
  /// - Parameter work: Gets the progress, and stops the work between two photos.
  /// - Throws: The reason why there is no sheet. Nothing is left then.
  func make(_ sheet: PhotoSheet, _ work: StepWork) async throws(ImageFault) -> SheetOutcome
}

/// What came of a contact sheet.
public enum SheetOutcome: Hashable, Sendable {
  /// The sheet is there, without these photos.
  case made(without: [FilePath: ImageFault])
  /// Another file has one of the names.
  case taken
  /// The work was stopped, and nothing is there.
  case stopped
}
