import Gallery
import Services

/// An export of a photo. The new file goes to the trash when that is undone, since the user may have worked on it.
struct ExportOperation: StepOperation {
  private(set) var export: PhotoExport
  /// Whether the name of the new file was free when the export was planned.
  private(set) var isPlanned = false

  static var hasEffect: Bool { false }

  init(_ export: PhotoExport) { self.export = export }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    // A file gets its name when it is complete, so a crash has come after that.
    let isMade = isPlanned && export.target.isThere
    guard isMade || export.file.isThere else { throw .missing }
    var planned = self
    planned.isPlanned = true
    if !isMade { planned.export.target = export.target.free }
    let (target, folders) = (planned.export.target, planned.export.target.folder.missingFolders)
    var back = FileOperation(.trash, files: [target])
    back.folders = folders
    return StepPlan(
      operation: planned, inverse: back, effect: expected ?? Step.Effect(), claims: [target],
      atOnce: tools.exporter?.usefulCount ?? 1, busy: fault(localized("Other files keep taking the names."))
    ) { [export = planned.export] () async throws(OperationFault) in
      if !isMade { try await write(export, folders, tools) }
      return .written()
    }
  }

  private func write(_ export: PhotoExport, _ folders: [FilePath], _ tools: StepTools) async throws(OperationFault) {
    guard let exporter = tools.exporter else { throw .impossible(fault(localized("Tintype has no pictures here."))) }
    do throws(SystemError) {
      for folder in folders { try folder.createFolder(0o777) }
    } catch {
      let reason = error.reason.printable
      throw .impossible(
        fault(localized("\(export.target.folder.printable) can't be created (\(reason)). Choose another folder.")))
    }
    do throws(ImageFault) {
      if try await exporter.export(export) { return }
    } catch {
      throw .impossible(fault(localized("\(export.file.printable) was not exported. \(error.message)")))
    }
    let name = export.target.printableName
    throw .impossible(fault(localized("Another file has taken the name \(name). Export the photo again.")))
  }

  private func fault(_ message: String) -> StepFault { StepFault(title: localized("Can't export"), message: message) }
}

extension FilePath {
  /// The path, or the first one with a number (`a-2.jpg`) at which nothing is.
  fileprivate var free: FilePath { (1...).lazy.map(numbered).first { !$0.isThere } ?? self }
}
