import Gallery
import Photos
import Services
import WorkerPool

/// The form for a contact sheet of photos.
@MainActor
public final class SheetViewModel: Form {
  public var onChange: () -> Void = {}
  public private(set) var fields: [FormField]

  private var sheet: PhotoSheet
  private let first: Photo
  private let onSubmit: (StepRequest) -> Void

  /// The fields by their numbers.
  private enum Place: Int { case format, grid, title, file }

  /// - Parameters:
  ///   - sheet: The sheet as it is proposed.
  ///   - first: The first photo, whose part in the journal the sheet is.
  init(_ sheet: PhotoSheet, first: Photo, onSubmit: @escaping (StepRequest) -> Void) {
    self.sheet = sheet
    self.first = first
    self.onSubmit = onSubmit
    fields = [
      FormField(localized("Format"), sheet.format.text, of: SheetFormat.allCases.map(\.text)),
      FormField(localized("Columns × rows"), sheet.grid.text),
      FormField(localized("Title"), sheet.title, hint: localized("none")),
      FormField(localized("New file"), sheet.target.printable),
    ]
  }

  public var title: String { localized("Contact sheet of \(sheet.items.count.photosText)") }
  public let button = localized("Make")

  private func value(_ place: Place) -> String { fields[place.rawValue].value }

  private var format: SheetFormat { SheetFormat.allCases.first { $0.text == value(.format) } ?? .pdf }
  private var grid: PageGrid? { PageGrid(value(.grid)) }

  /// The sheet with the values of the fields; nil if one is invalid.
  private var filled: PhotoSheet? {
    guard fault == nil else { return nil }
    var filled = sheet
    filled.format = format
    if let grid { filled.grid = grid }
    filled.title = value(.title)
    filled.target = FilePath(typed: value(.file), in: sheet.target.folder)
    return filled
  }

  public var fault: String? {
    if value(.file).isEmpty || value(.file).hasSuffix("/") { return localized("The name is empty.") }
    if format != .html, grid == nil { return localized("Columns and rows are numbers from 1 to 20, such as 5x7.") }
    return nil
  }

  public var preview: [String] {
    guard let filled else { return [] }
    let pages = localized("\(filled.pageCount) page", plural: "\(filled.pageCount) pages", count: filled.pageCount)
    let note: String
    switch filled.format {
    case .pdf: note = localized("A4, with names, stars and labels")
    case .png: note = localized("A4, each page is a file")
    case .html: note = localized("one file, in which a client marks photos")
    }
    return [
      filled.format == .html ? note : "\(pages) · \(note)",
      localized("If the name is taken, the new file gets a number."),
    ]
  }

  public func set(_ value: String, of field: Int) {
    let old = format
    fields[field].value = value
    // The file's suffix follows the format, and the format a suffix that is typed.
    if format != old { setSuffix(from: old) }
    if field == Place.file.rawValue, let typed = SheetFormat(ofFile: value) {
      fields[Place.format.rawValue].value = typed.text
    }
  }

  private func setSuffix(from old: SheetFormat) {
    let name = value(.file)
    guard SheetFormat(ofFile: name) == old else { return }
    fields[Place.file.rawValue].value = name.dropLast(old.rawValue.count) + format.rawValue
  }

  public func submit() { if let filled { onSubmit(StepRequest(filled, first: first)) } }
}

extension SheetFormat {
  /// The format in words.
  fileprivate var text: String {
    switch self {
    case .pdf: "PDF"
    case .html: localized("web page")
    case .png: "PNG"
    }
  }
}
