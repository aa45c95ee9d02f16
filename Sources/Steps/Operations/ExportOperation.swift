import Gallery
import Services

/// An export of a photo. The new file goes to the trash when that is undone, since the user may have worked on it.
struct ExportOperation: StepOperation {
  private(set) var export: PhotoExport

  static var hasEffect: Bool { false }

  init(_ export: PhotoExport) { self.export = export }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    guard export.file.isThere || export.file.archive != nil else { throw .missing }
    var planned = self
    // Also after a crash, a file of the name may be another one. If it is the own one, there will be two, and none is lost.
    planned.export.target = export.target.free
    let (target, folders) = (planned.export.target, planned.export.target.folder.missingFolders)
    let back = FileOperation(trashingNew: target, folders: folders)
    return StepPlan(
      operation: planned, inverse: back, effect: expected ?? Step.Effect(), claims: [target],
      atOnce: tools.exporter?.usefulCount ?? 1, busy: fault(localized("Other files keep taking the names."))
    ) { [export = planned.export, back] () async throws(OperationFault) in
      try back.checkPlaces()
      return try await write(export, folders, tools) ? .written() : .outdated
    }
  }

  /// Makes the new file. Returns false if another file has taken its name.
  private func write(
    _ export: PhotoExport, _ folders: [FilePath], _ tools: StepTools
  ) async throws(OperationFault) -> Bool {
    guard let exporter = tools.exporter else {
      throw .failed(fault(localized("Exports need the image libraries. Install Tintype with them.")))
    }
    try folders.create(fault)
    do throws(ImageFault) {
      return try await exporter.export(export)
    } catch {
      throw .impossible(fault(localized("\(export.file.printable) was not exported. \(error.sentence)")))
    }
  }

  private func fault(_ message: String) -> StepFault { StepFault(title: localized("Can't export"), message: message) }
}

extension [FilePath] {
  /// Creates the folders, the outermost first.
  /// - Parameter fault: Makes a fault of a sentence.
  func create(_ fault: (String) -> StepFault) throws(OperationFault) {
    for folder in self {
      do throws(SystemError) { try folder.createFolder(0o777) } catch {
        let reason = error.reason.printable
        throw .impossible(
          fault(localized("\(folder.printable) can't be created (\(reason)). Choose another folder.")))
      }
    }
  }
}

extension FileOperation {
  /// Creates the operation that takes a new file back.
  /// - Parameter folders: The folders that are created for it.
  init(trashingNew file: FilePath, folders: [FilePath]) {
    self.init(.trash, files: [file])
    self.folders = folders
    places = [FolderPlace(file.folder)]
  }
}

extension FilePath {
  /// The path, or the first one with a number (`a-2.jpg`) at which nothing is.
  var free: FilePath { (1...).lazy.map(numbered).first { !$0.isThere } ?? self }
}
