import Foundation
import Gallery
import Services
import Steps
import Torture

/// Random steps with photos, undos and redos.
struct RandomSteps {
  let photos: FilePath
  let card: FilePath
  /// The folders to which photos are moved and copied.
  let targets: [FilePath]
  /// Whether new files are made of photos, for which the service needs an exporter.
  var isExporting = false
  var random: SplitMix

  /// Stops some work in a moment, or not.
  mutating func mayStop(_ work: StepWork) {
    guard Int.random(in: 0..<8, using: &random) == 0 else { return }
    let pause = Duration.microseconds(Int.random(in: 0..<3000, using: &random))
    Task {
      try? await Task.sleep(for: pause)
      work.stop()
    }
  }

  /// Makes a step, or undoes or redoes some. Returns what came of it.
  mutating func make(with service: StepService, _ work: StepWork) async -> Step? {
    if Int.random(in: 0..<3, using: &random) == 0 { return await goBack(with: service, work) }
    guard let request = await request(service) else { return nil }
    return await service.write(await service.keep([request])[0], work)
  }

  /// Undoes or redoes steps while another one is kept, which is written after that.
  mutating func goBackAndMake(with service: StepService, _ work: StepWork) async {
    guard let request = await request(service) else { return }
    let kept = Task { await service.keep([request]) }
    _ = await goBack(with: service, work)
    _ = await service.write(await kept.value[0], StepWork())
  }

  /// Undoes or redoes steps.
  mutating func goBack(with service: StepService, _ work: StepWork) async -> Step? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1: await service.undo(work)
    case 2: await service.redo(work)
    default: await service.undoSession(work)
    }
  }

  /// Returns a random request for some of the photos, or nil if there is nothing to do.
  mutating func request(_ service: StepService) async -> StepRequest? {
    let shots = Shot.all(in: photos).shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
    guard !shots.isEmpty, let target = targets.randomElement(using: &random) else { return nil }
    let all = shots.map(\.photos)
    switch Int.random(in: 0..<(isExporting ? 9 : 8), using: &random) {
    case 0: return StepRequest(.files(.trash), forShots: all)
    case 1: return StepRequest(.files(.move(to: target)), forShots: all)
    case 2: return StepRequest(.files(.copy(to: target)), forShots: all)
    case 3: return StepRequest(.files(.move(to: target, isSkipping: true)), forShots: all)
    case 4: return decision(shots)
    case 5: return await importing(to: target, service)
    case 8: return exporting(shots, to: target)
    default: return await renaming(shots, service)
    }
  }

  private mutating func decision(_ shots: ArraySlice<Shot>) -> StepRequest? {
    // A copy whose sidecar was written is somebody's work, which undo leaves.
    let own = shots.filter { $0.folder == photos }
    if own.isEmpty { return nil }
    var change = DecisionChange.rating(Int.random(in: -1...5, using: &random))
    if Bool.random(using: &random), let decision = OwnDecisions.all.joined().randomElement(using: &random) {
      change = NumberedDecision(decision, Int.random(in: 10...59, using: &random)).change
    }
    return StepRequest(.decision(change), forShots: own.map(\.photos))
  }

  private mutating func importing(to target: FilePath, _ service: StepService) async -> StepRequest? {
    var rule = ImportRule(to: photos.appending("imported".utf8))
    if Bool.random(using: &random) { rule.backups = [target] }
    let forecast = try? await service.forecast(importing: Shot.all(in: card).map(\.photos), rule, StepWork())
    return forecast.flatMap { $0.imports.isEmpty ? nil : StepRequest($0.imports) }
  }

  private func exporting(_ shots: ArraySlice<Shot>, to target: FilePath) -> StepRequest? {
    let shown = MetadataRecord(PhotoMetadata())
    return StepRequest(
      shots.compactMap { shot in
        guard let photo = shot.photos.first, let file = photo.file else { return nil }
        let new = target.appending("web".utf8).appending(file.name)
        return (photo, PhotoExport(of: file, shown: shown, as: ExportSpecification(), to: new))
      })
  }

  /// Gives each photo the name of the next one, or another one.
  private mutating func renaming(_ shots: ArraySlice<Shot>, _ service: StepService) async -> StepRequest? {
    let stems = shots.map(\.stem)
    let names = Bool.random(using: &random) ? stems.dropFirst() + stems.prefix(1) : stems.map { "\($0)x" }[...]
    let forecast = await service.forecast(zip(shots, names).map { FileRename($0.photos, to: $1) })
    return forecast.renames.isEmpty ? nil : StepRequest(forecast.renames)
  }
}

/// A photo with all its files.
struct Shot {
  let photos: [Photo]
  let folder: FilePath
  let stem: String

  /// Returns the photos below a folder.
  static func all(in folder: FilePath) -> [Shot] {
    let files = Listing(folder).files.filter { file in
      file.name.first != UInt8(ascii: ".")
        && [".jpg", ".raf"].contains { file.name.reversed().starts(with: $0.utf8.reversed()) }
    }
    let groups = Dictionary(grouping: files) { FilePath(Array($0.bytes.prefix($0.folder.bytes.count + 1)) + stem($0)) }
    return groups.sorted { $0.key < $1.key }.map { key, files in
      Shot(photos: files.sorted().map(photo), folder: key.folder, stem: String(decoding: key.name, as: UTF8.self))
    }
  }

  private static func stem(_ file: FilePath) -> ArraySlice<UInt8> { file.name.prefix { $0 != UInt8(ascii: ".") } }

  private static func photo(_ file: FilePath) -> Photo {
    Photo(
      id: file.hashValue, name: file.printableName, createdAt: .now, imageURL: file.printable, image: .file(file),
      metadata: PhotoMetadata())
  }
}
