import Gallery
import Services
import ViewModels

/// What came of an import, for the shell.
struct ImportReport {
  /// The first new paths of the photos that were imported.
  private(set) var done: [FilePath] = []
  /// The photos that were not imported, with the reasons.
  private(set) var failures: [ImportForecast.Failure] = []
  /// The photos that were imported without a backup, with the reasons.
  private(set) var shortfalls: [ImportForecast.Failure] = []
  /// The number of bytes that were written.
  var size: Int64 = 0
  /// The time that the import has taken, or nil if it has not begun.
  var time: Duration?
  private let total: Int
  private let imported: Int
  private var present: Int
  private let failedBefore: Int
  private var left: Int

  init(_ forecast: ImportForecast) {
    total = forecast.imports.count
    left = total
    imported = forecast.imported.count
    present = forecast.present.count
    failedBefore = forecast.failures.count
    sources = Dictionary(
      forecast.imports.compactMap { new in new.photo.file.map { ($0, new.files[0]) } }
    ) { first, _ in first }
  }

  /// The files on the card by their first new paths.
  private let sources: [FilePath: FilePath]

  /// Whether all new photos are imported.
  var isComplete: Bool { failures.isEmpty && shortfalls.isEmpty && left == 0 }

  mutating func add(_ step: Step) {
    if let fault = step.fault { failures.append(.init(sources.first?.value ?? "/", fault.message)) }
    for part in step.parts {
      guard let path = part.photo.file else { continue }
      let source = sources[path] ?? path
      switch part.outcome {
      case .done: done.append(path)
      case .needless: present += 1
      case .missing: failures.append(.init(source, "It is no longer on the card."))
      case .failed(let fault): failures.append(.init(source, fault.message))
      case .waiting(nil): continue
      case .waiting(let fault?): failures.append(.init(source, fault.message))
      }
      if let shortfall = part.shortfall { shortfalls.append(.init(source, shortfall.message)) }
      left -= 1
    }
  }

  /// The report as one line.
  var text: String {
    let sizeText = size > 0 ? " (\(size.fileSizeText))" : ""
    var parts: [String] = []
    if let time {
      parts.append("\(done.count.photosText) imported\(sizeText) in \(time.secondsText)")
    } else {
      parts.append(total > 0 ? "\(total.photosText) to import" : "No new photos")
    }
    let counts = [
      (imported, "imported before"), (present, "there already"), (shortfalls.count, "without a backup"),
      (failures.count + failedBefore, "failed"),
    ]
    for (count, text) in counts where count > 0 {
      parts.append("\(count.grouped) \(text)")
    }
    if time != nil, left > 0 { parts.append("\(left.grouped) left: start the import again to go on") }
    return parts.joined(separator: ", ")
  }
}

extension Duration {
  /// The duration in seconds with one decimal.
  fileprivate var secondsText: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
