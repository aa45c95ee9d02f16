import Gallery
import Photos
import Services
import WorkerPool

/// New files of photos before they are made.
public struct ExportPlan: Sendable {
  /// The files as they are shown, with their exports.
  let exports: [(photo: Photo, export: PhotoExport)]
  /// The names of the first new files, and of the last one.
  public let names: String
  /// The reasons why photos have no export, in sentences.
  public let obstacles: [String]
  /// What the folder has room for, and the names that are taken there.
  public internal(set) var forecast = FileForecast()

  /// The number of new files.
  public var count: Int { exports.count }

  init(_ photos: [(photo: Photo, values: NamePattern.Values)], by preset: ExportPreset, to folder: FilePath) {
    let targets = preset.targets(of: photos.map(\.values), in: folder)
    var faults: [NamePattern.Fault] = []
    exports = zip(photos, targets).compactMap { photo, target in
      switch target {
      case .success(let target):
        let shown = MetadataRecord(photo.values.metadata)
        let export = PhotoExport(of: photo.values.path, shown: shown, as: preset.specification, to: target)
        return (photo.photo, export)
      case .failure(let fault):
        faults.append(fault)
        return nil
      }
    }
    names = FilePreview.text(of: exports.map(\.export.target.printableName))
    obstacles = faults.first.map { ["\(faults.count.photosText): \($0.message)"] } ?? []
  }
}

extension PhotoChoosingViewModel {
  /// Finds out which files an export of photos would make. Of a photo with several files, the shown one is exported; videos
  /// are left out.
  ///
  /// - Parameters:
  ///   - folder: The folder of the new files.
  ///   - onPlan: Called with the plan.
  public func planExport(
    of photos: [Photo], by preset: ExportPreset, to folder: FilePath, onPlan: @escaping (ExportPlan) -> Void
  ) {
    let shots = filesByShot(inOrderOfList(photos))
    let images = shots.compactMap { shot -> (photo: Photo, decisions: PhotoDecisions)? in
      shownImage(of: shot).map { ($0, deciding.decisions(about: shot)) }
    }
    Task.onMainActor { [deciding] in
      var plan = await Task(executorPreference: WorkerPool.shared) {
        let values = images.enumerated().map { index, image in
          let path = image.photo.file ?? image.photo.originalPath
          var values = NamePattern.Values(photo: image.photo, path: path, sequence: index + 1)
          values.metadata = values.metadata.with(image.decisions)
          return (image.photo, values)
        }
        return ExportPlan(values, by: preset, to: folder)
      }.value
      plan.forecast = await deciding.forecast(plan.exports.map(\.export))
      onPlan(plan)
    }
  }

  /// Makes the new files of a plan.
  public func export(_ plan: ExportPlan) {
    if canExport, plan.count > 0 { deciding.make(StepRequest(plan.exports)) }
  }
}

extension ExportPreset {
  /// The choices in words: `JPEG · 2048 px · without GPS`.
  public var summary: String {
    var parts = [specification.format.title]
    switch specification.size {
    case .original: parts.append(localized("full size"))
    case .longEdge(let side): parts.append("\(side.grouped) px")
    case .fit(let width, let height), .box(let width, let height): parts.append("\(width)×\(height)")
    }
    switch specification.quality {
    case .fixed(let quality): parts.append(localized("quality \(quality)"))
    case .limit(let bytes): parts.append(localized("up to \(Int64(bytes).fileSizeText)"))
    case nil: break
    }
    switch specification.metadata {
    case .all: parts.append(localized("all metadata"))
    case .withoutPlace: parts.append(localized("without GPS"))
    case .copyright: parts.append(localized("copyright only"))
    case .none: parts.append(localized("no metadata"))
    }
    return parts.joined(separator: " · ")
  }
}
