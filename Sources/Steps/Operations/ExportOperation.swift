import Gallery
import Services

/// An export of a photo, whose original is downloaded first if it is on a server. The new file goes to the trash when that is
/// undone, since the user may have worked on it.
struct ExportOperation: StepOperation {
  private(set) var export: PhotoExport

  static var hasEffect: Bool { false }

  init(_ export: PhotoExport) { self.export = export }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    guard photo.file == nil || export.file.isThere || export.file.archive != nil else { throw .missing }
    var planned = self
    // Also after a crash, a file of the name may be another one. If it is the own one, there will be two, and none is lost.
    planned.export.target = export.target.free
    let (target, folders) = (planned.export.target, planned.export.target.folder.missingFolders)
    let back = FileOperation(trashingNew: [target], folders: folders)
    return StepPlan(
      operation: planned, inverse: back, effect: expected ?? Step.Effect(), claims: [target],
      atOnce: photo.file == nil ? DownloadedFile.atOnce : tools.exporter?.usefulCount ?? 1,
      busy: fault(localized("Other files keep taking the names."))
    ) { [export = planned.export, back] () async throws(OperationFault) in
      try back.checkPlaces()
      return try await write(export, of: photo, folders, tools) ? .written() : .outdated
    }
  }

  /// Makes the new file. Returns false if another file has taken its name.
  private func write(
    _ export: PhotoExport, of photo: ImageLocation, _ folders: [FilePath], _ tools: StepTools
  ) async throws(OperationFault) -> Bool {
    guard let exporter = tools.exporter else {
      throw .failed(fault(localized("Exports need the image libraries. Install Tintype with them.")))
    }
    let server = tools.server.flatMap { $0.has(photo) ? $0 : nil }
    // A later session with the server makes the export.
    guard photo.file != nil || server != nil else { throw .stopped }
    let original = try await original(of: photo, on: server, for: export.target)
    defer { withExtendedLifetime(original) {} }
    // A folder for a photo that waits would be left.
    try folders.create(fault)
    var available = export
    available.file = original?.path ?? export.file
    do throws(ImageFault) {
      return try await exporter.export(available)
    } catch {
      let name = photo.file == nil ? export.file.printableName : export.file.printable
      throw .impossible(fault(localized("\(name) was not exported. \(error.sentence)")))
    }
  }

  /// Downloads the original of a photo, or returns nil for one that is a file here.
  private func original(
    of photo: ImageLocation, on server: (any PhotoServerProtocol)?, for target: FilePath
  ) async throws(OperationFault) -> DownloadedFile? {
    guard let server else { return nil }
    do throws(DownloadedFile.Fault) {
      return try await DownloadedFile(of: photo, from: server, for: target)
    } catch {
      throw error.fault(for: target, fault) { error in
        StepFault(
          title: localized("Not exported yet"),
          message: localized("\(error.message) The photo is exported with the next step or at the next start."),
          concernsFolder: true)
      }
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
  /// Creates the operation that takes new files of one folder back.
  /// - Parameter folders: The folders that are created for them.
  init(trashingNew files: [FilePath], folders: [FilePath]) {
    self.init(.trash, files: files)
    self.folders = folders
    places = files.first.map { [FolderPlace($0.folder)] } ?? []
  }
}

extension FilePath {
  /// The path, or the first one with a number (`a-2.jpg`) at which nothing is.
  var free: FilePath { (1...).lazy.map(numbered).first { !$0.isThere } ?? self }
}
