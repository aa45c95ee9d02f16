import Gallery
import Photos
import Services
import WorkerPool

/// The form for an import from a memory card.
@MainActor
public final class ImportViewModel: Form {
  public var onChange: () -> Void = {}
  public private(set) var fields: [FormField]

  private let makeFolders: (_ named: [Place]) -> DestinationViewModel
  private let onSubmit: (FilePath, ImportRule) -> Void
  private let templates: [MetadataTemplate]
  /// The folders that complete the fields, made when they are first needed.
  private var folders: [Int: DestinationViewModel] = [:]
  /// The cards that were found.
  private var cards: [FilePath] = []
  private(set) var searching: Task<Void, Never>?

  /// The fields by their numbers.
  private enum Row: Int { case card, destination, folders, names, backup, template }

  /// The folders that are proposed: one for each day.
  private static let proposedFolders = "{date:%Y/%m/%d}"

  /// - Parameters:
  ///   - destination: The folder that is proposed for the photos.
  ///   - templates: The templates of metadata to choose from.
  ///   - service: The service that finds cards.
  ///   - makeFolders: Returns a view model of the folders that complete a field, with some places that it offers first.
  ///   - onSubmit: Called with the folder of the card and the choices.
  init(
    to destination: FilePath?, templates: [MetadataTemplate] = [], service: any ImportServiceProtocol,
    makeFolders: @escaping (_ named: [Place]) -> DestinationViewModel,
    onSubmit: @escaping (FilePath, ImportRule) -> Void
  ) {
    self.makeFolders = makeFolders
    self.onSubmit = onSubmit
    self.templates = templates
    fields = [
      FormField(localized("Card"), "", hint: localized("the folder of the card")),
      FormField(localized("Copy to"), destination?.printable ?? "", hint: localized("the folder for the photos")),
      FormField(localized("Folders"), Self.proposedFolders, hint: localized("none")),
      FormField(localized("Names"), "", hint: localized("as on the card")),
      FormField(localized("Backup"), "", hint: localized("none")),
    ]
    if !templates.isEmpty {
      let none = localized("none")
      fields.append(FormField(localized("Template"), none, of: [none] + templates.map(\.name.printable)))
    }
    searching = Task.onMainActor { [weak self] in
      let cards = await service.cards()
      self?.take(cards)
    }
  }

  deinit { searching?.cancel() }

  public let title = localized("Import from a card")
  public let button = localized("Look for photos")

  private func value(_ row: Row) -> String { fields[row.rawValue].value }

  private func take(_ cards: [FilePath]) {
    self.cards = cards
    folders[Row.card.rawValue] = nil
    if let first = cards.first, value(.card).isEmpty { fields[Row.card.rawValue].value = first.printable }
    onChange()
  }

  public func set(_ value: String, of field: Int) { fields[field].value = value }

  public func folders(of field: Int) -> DestinationViewModel? {
    guard let row = Row(rawValue: field), [.card, .destination, .backup].contains(row) else { return nil }
    if let known = folders[field] { return known }
    let made = makeFolders(row == .card ? cards.map { Place(folder: $0) } : [])
    folders[field] = made
    return made
  }

  /// The folder that a field names, or nil if it is empty.
  private func folder(_ row: Row) -> FilePath? { folders(of: row.rawValue)?.folder(of: value(row)) }

  /// The choices; nil if a field is invalid.
  private var rule: ImportRule? {
    guard fault == nil, let place = folder(.destination) else { return nil }
    var rule = ImportRule(to: place)
    if fields.indices.contains(Row.template.rawValue) {
      rule.template = templates.first { $0.name.printable == value(.template) }
    }
    rule.backups = [folder(.backup)].compactMap(\.self)
    rule.folders = value(.folders).isEmpty ? nil : try? FolderPattern(value(.folders))
    if let names = value(.names).nonEmpty { rule.names = (try? NamePattern(names)) ?? .ownName }
    return rule
  }

  public var fault: String? {
    if value(.card).isEmpty { return localized("Name the folder of the card.") }
    if value(.destination).isEmpty { return localized("Name the folder for the photos.") }
    do throws(NamePattern.Fault) {
      if let pattern = value(.folders).nonEmpty { _ = try FolderPattern(pattern) }
      if let pattern = value(.names).nonEmpty { _ = try NamePattern(pattern) }
      return nil
    } catch { return error.message }
  }

  public var preview: [String] {
    [
      example.map { localized("For example: \($0.printable)") },
      localized("Only new photos are copied, and nothing is written to the card. Next, you see how many there are."),
      localized("Fields of folders and names: \(NamePattern.fields.map(\.field).joined(separator: " "))"),
    ].compactMap(\.self)
  }

  /// The path that a photo would get; nil if a field is invalid.
  private var example: FilePath? {
    guard let rule, let day = CalendarTime(year: 2026, month: 8, day: 1) else { return nil }
    let photo = NamePattern.Values(path: "/IMG_4711.JPG", clock: day.clock, metadata: PhotoMetadata(), sequence: 1)
    let folder = rule.folders?.folder(of: photo, in: rule.place) ?? rule.place
    return (try? rule.names.name(of: photo)).map { folder.appending($0 + ".JPG".utf8) }
  }

  public func submit() {
    if let card = folder(.card), let rule { onSubmit(card, rule) }
  }
}
