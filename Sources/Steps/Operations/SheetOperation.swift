import Gallery
import Services

/// A contact sheet of photos. Its part is that of the first one. The new files go to the trash when that is undone.
struct SheetOperation: StepOperation {
  private(set) var sheet: PhotoSheet

  static var hasEffect: Bool { false }

  init(_ sheet: PhotoSheet) { self.sheet = sheet }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    var planned = self
    planned.sheet.target = sheet.freeTarget
    let (sheet, folders) = (planned.sheet, planned.sheet.target.folder.missingFolders)
    var back = FileOperation(.trash, files: sheet.targets)
    back.folders = folders
    back.places = [FolderPlace(sheet.target.folder)]
    return StepPlan(
      operation: planned, inverse: back, effect: expected ?? Step.Effect(), claims: sheet.targets,
      busy: fault(localized("Other files keep taking the names."))
    ) { [back] () async throws(OperationFault) in
      try back.checkPlaces()
      return try await write(sheet, folders, tools)
    }
  }

  private func write(
    _ sheet: PhotoSheet, _ folders: [FilePath], _ tools: StepTools
  ) async throws(OperationFault) -> StepWriting {
    guard let maker = tools.sheets else {
      throw .failed(fault(localized("Exports need the image libraries. Install Tintype with them.")))
    }
    try folders.create(fault)
    do throws(ImageFault) {
      switch try await maker.make(sheet, tools.work) {
      case .taken: return .outdated
      case .made(let missing): return .written(shortfall: shortfall(missing))
      case .stopped: break
      }
    } catch {
      throw .impossible(fault(localized("\(sheet.target.printable) was not made. \(error.sentence)")))
    }
    throw .stopped
  }

  private func shortfall(_ missing: [FilePath: ImageFault]) -> StepFault? {
    guard let first = missing.min(by: { $0.key < $1.key }) else { return nil }
    let others = missing.count - 1
    let message = localized("\(first.key.printable) is not in the sheet. \(first.value.message)")
    let more = localized(
      "One other photo is not in it, either.", plural: "\(others) other photos are not in it, either.", count: others)
    return StepFault(
      title: localized("Not all photos are in the sheet"), message: others > 0 ? "\(message) \(more)" : message)
  }

  private func fault(_ message: String) -> StepFault {
    StepFault(title: localized("Can't make the contact sheet"), message: message)
  }
}

extension PhotoSheet {
  /// The target, or the first one with a number with which all names are free.
  fileprivate var freeTarget: FilePath {
    let sheets = (1...).lazy.map { number in
      var sheet = self
      sheet.target = target.numbered(number)
      return sheet
    }
    return sheets.first { !$0.targets.contains(where: \.isThere) }?.target ?? target
  }
}
