import Foundation
import Gallery
import Services
import Steps
import Store
import Torture

/// Random steps with the photos of a folder, until it is killed: `torture-steps FOLDER SEED`
///
/// It writes a byte after each step. The photos are in `FOLDER/photos`, and the journal in `FOLDER/state`.
@main
struct TortureSteps {
  private let folder: FilePath
  private let service: StepService
  private var random: SplitMix

  private var photos: FilePath { folder.appending("photos".utf8) }

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().map { FilePath($0.utf8, in: .workingFolder) }
    guard arguments.count == 2, let seed = Int(arguments[1].printableName) else { exit(EX_USAGE) }
    var torture = TortureSteps(folder: arguments[0], seed: seed)
    _ = await torture.service.resume(StepWork())
    while true {
      await torture.step()
      FileHandle.standardOutput.write(Data([UInt8(ascii: ".")]))
    }
  }

  private init(folder: FilePath, seed: Int) {
    self.folder = folder
    random = SplitMix(seed: seed)
    service = StepService(
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { _ in },
      root: folder.appending("photos".utf8), usesShortNames: false)
  }

  private mutating func step() async {
    let work = StepWork()
    if Int.random(in: 0..<8, using: &random) == 0 {
      let pause = Duration.microseconds(Int.random(in: 0..<3000, using: &random))
      Task {
        try? await Task.sleep(for: pause)
        work.stop()
      }
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: _ = await service.undo(work)
    case 2: _ = await service.redo(work)
    case 3: _ = await service.undoSession(work)
    default: if let request = await request() { _ = await service.write(await service.keep([request])[0], work) }
    }
  }

  private mutating func request() async -> StepRequest? {
    let all = shots
    let shots = all.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
    if shots.isEmpty { return nil }
    let far = FilePath("/dev/shm/\(folder.printableName)")
    let target = [folder.appending("near".utf8), photos.appending("below".utf8), far].randomElement(using: &random)!
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return StepRequest(.files(.trash), forShots: Array(shots))
    case 1: return StepRequest(.files(.move(to: target)), forShots: Array(shots))
    case 2: return StepRequest(.files(.copy(to: target)), forShots: Array(shots))
    case 3: return StepRequest(.files(.move(to: target, isSkipping: true)), forShots: Array(shots))
    case 4:
      // A copy whose sidecar was written is somebody's work, which undo leaves.
      let own = shots.filter { $0[0].file?.folder == photos }
      return own.isEmpty
        ? nil : StepRequest(.decision(.rating(Int.random(in: -1...5, using: &random))), forShots: Array(own))
    case 5:
      var rule = ImportRule(to: photos.appending("imported".utf8))
      if Bool.random(using: &random) { rule.backups = [target] }
      let forecast = try? await service.forecast(importing: onCard, rule, StepWork())
      return forecast.flatMap { $0.imports.isEmpty ? nil : StepRequest($0.imports) }
    default:
      // Each photo gets the name of the next one, or another one.
      let stems = shots.map { stem(of: $0[0]) }
      let names = Bool.random(using: &random) ? stems.dropFirst() + stems.prefix(1) : stems.map { "\($0)x" }[...]
      let renames = zip(shots, names).map { FileRename($0, to: $1) }
      let forecast = await service.forecast(renames)
      return forecast.renames.isEmpty ? nil : StepRequest(forecast.renames)
    }
  }

  private func stem(of photo: Photo) -> String {
    String(photo.file?.printableName.prefix { $0 != "." } ?? "")
  }

  /// The photos that are there, each with all its files.
  private var shots: [[Photo]] { shots(in: photos) }

  /// The photos of a memory card.
  private var onCard: [[Photo]] { shots(in: folder.appending("card".utf8)) }

  private func shots(in folder: FilePath) -> [[Photo]] {
    let names = FileManager.default.enumerator(atPath: folder.printable)?.compactMap { $0 as? String } ?? []
    let files = names.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".raf") }.sorted()
    let groups = Dictionary(grouping: files) { $0.prefix { $0 != "." } }
    return groups.keys.sorted().compactMap { stem in
      groups[stem]?.map { name in
        let path = folder.appending(name.utf8)
        return Photo(
          id: name.hashValue, name: name, createdAt: .now, imageURL: name, image: .file(path), metadata: PhotoMetadata()
        )
      }
    }
  }
}
