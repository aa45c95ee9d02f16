import Gallery
import Photos
import Services
import WorkerPool

extension PhotoChoosingViewModel {
  /// Looks for the new photos of a card in the background. An alert reports why the card can't be imported.
  ///
  /// - Parameter onFound: Called with what would be imported, unless the user has stopped the search.
  public func findPhotos(on card: FilePath, _ rule: ImportRule, onFound: @escaping (ImportForecast) -> Void) {
    guard let imports else { return }
    let title = localized("Look for new photos: \(card.printableName)")
    onNote(title)
    _ = deciding.jobs.add(title) { [weak self] job in
      let found = await result { () async throws(ImportFault) in try await imports.forecast(of: card, rule, job.work) }
      if job.isStopped { return self?.onNote(localized("Stopped: \(title)")) ?? () }
      switch found {
      case .success(let forecast): onFound(forecast)
      case .failure(let fault): self?.onAlert(Alert(title: localized("Can't import"), message: fault.message))
      }
    }
  }

  /// Makes the form for an import; nil if there is no service for that.
  ///
  /// - Parameters:
  ///   - folder: The open folder, which is proposed for the photos; nil for another source.
  ///   - templates: The templates of metadata to choose from.
  ///   - folders: Returns a view model of the folders that complete a field, with some places that it offers first.
  ///   - onSubmit: Called with the folder of the card and the choices.
  public func makeImport(
    to folder: FilePath?, templates: [MetadataTemplate] = [],
    folders: @escaping (_ folder: FilePath, _ named: [Place]) -> DestinationViewModel,
    onSubmit: @escaping (FilePath, ImportRule) -> Void
  ) -> ImportViewModel? {
    let start = folder ?? .workingFolder
    return imports.map {
      ImportViewModel(
        to: folder, templates: templates, service: $0, makeFolders: { folders(start, $0) }, onSubmit: onSubmit)
    }
  }

  /// Imports photos as one step, after which another one gives them the texts of the rule's template.
  public func importPhotos(_ forecast: ImportForecast, _ rule: ImportRule) {
    guard !forecast.imports.isEmpty else { return }
    deciding.make(StepRequest(forecast.imports))
    guard let template = rule.template else { return }
    let plan = forecast.plan(template, codes: deciding.codes)
    if !plan.changes.isEmpty { deciding.make(plan.request()) }
  }

  /// Creates the folder that photos go to, and calls the closure if it is there.
  public func create(_ folder: FilePath, then body: @escaping () -> Void) {
    Task.onMainActor { [imports] in if await imports?.create(folder) == true { body() } }
  }
}

extension ImportForecast {
  /// The lines that say what an import would do.
  public var lines: [String] {
    let free = free.map { localized("\($0.fileSizeText) free") }
    let found = imports.isEmpty ? localized("No new photos") : localized("New: \(imports.count.photosText)")
    let counts = [
      imported.isEmpty ? nil : localized("Imported before: \(imported.count.grouped)"),
      present.isEmpty ? nil : localized("There already: \(present.count.grouped)"),
    ]
    let failure = failures.first.map { first in
      localized("Not importable: \(failures.count.photosText), such as \(first.photo.printableName). \(first.message)")
    }
    let new = [found, imports.isEmpty ? nil : size.fileSizeText, free].compactMap(\.self).joined(separator: " · ")
    let known = counts.compactMap(\.self).joined(separator: " · ")
    return [new, known.nonEmpty, failure].compactMap(\.self)
  }

  /// Whether the new photos need more room than there is.
  public var lacksRoom: Bool { free.map { $0 < size } ?? false }
}
