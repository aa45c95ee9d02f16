import Foundation
import Gallery
import Services
import Steps
import Torture

/// Random steps of a copy of the program with photos of its own, beside those that other copies make in the same folders and collections.
///
/// The photos of copy 2 have names that begin with `2`.
struct OwnSteps {
  private static let names = ["Best", "Print"]

  private let number: Int
  private let folder: FilePath
  private let collections: any CollectionServiceProtocol
  private var random: SplitMix
  private var count = 0
  private var hasImported = false
  /// The contents of the own photos in each collection, in their order.
  private(set) var members: [String: [String]] = [:]

  private var photos: FilePath { folder.appending("photos".utf8) }

  init(number: Int, folder: FilePath, collections: any CollectionServiceProtocol) {
    self.number = number
    self.folder = folder
    self.collections = collections
    random = SplitMix(seed: number)
  }

  /// A line for each photo in a collection: the collection, and the last word of the photo's content.
  var lines: [String] { Self.names.flatMap { name in (members[name] ?? []).map { "\(name) \($0)" } } }

  /// Makes a step. Returns what went wrong.
  mutating func make(with service: StepService) async -> [String] {
    let before = members
    guard let request = await request(service) else { return [] }
    var faults: [String] = []
    for step in await service.keep([request]) {
      // Others may keep the journal busy for longer than anybody wants to wait.
      if step.id == nil { members = before }
      let written = await service.write(step, StepWork())
      faults += written.faults.map { "\(written.title): \($0.message)" }
    }
    return faults
  }

  private mutating func request(_ service: StepService) async -> StepRequest? {
    let all = Shot.all(in: photos).filter { $0.stem.hasPrefix("\(number)") }
    let shots = all.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map(\.photos)
    guard let first = shots.first else { return nil }
    count += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let target = photos.appending(["below", "beside", "new/one"].randomElement(using: &random)!.utf8)
      // A photo that is there would be refused.
      let others = shots.filter { $0.allSatisfy { $0.file?.folder != target } }
      return others.isEmpty ? nil : StepRequest(.files(.move(to: target)), forShots: others)
    case 2, 3: return StepRequest(.files(.rename(to: "\(number)-\(count)")), forShots: [first])
    case 4:
      let member = Set(members.values.joined())
      let free = shots.filter { shot in shot.allSatisfy { !member.contains($0.word) } }
      return free.isEmpty || all.count < 5 ? nil : StepRequest(.files(.trash), forShots: free)
    case 5: return StepRequest(.decision(.rating(Int.random(in: 0...5, using: &random))), forShots: shots)
    case 6: return await importing(service)
    default: return await collecting(shots)
    }
  }

  private mutating func importing(_ service: StepService) async -> StepRequest? {
    if hasImported { return nil }
    hasImported = true
    let card = Shot.all(in: folder.appending("card".utf8)).filter { $0.stem.hasPrefix("\(number)") }
    let rule = ImportRule(to: photos.appending("imported".utf8))
    let forecast = try? await service.forecast(importing: card.map(\.photos), rule, StepWork())
    return forecast.flatMap { $0.imports.isEmpty ? nil : StepRequest($0.imports) }
  }

  /// Adds photos to a collection, moves those that are in it to its beginning, or takes them out.
  private mutating func collecting(_ shots: [[Photo]]) async -> StepRequest? {
    let name = Self.names.randomElement(using: &random)!
    let known = (try? await collections.files(of: name)) ?? nil
    let files = shots.joined().compactMap(\.file)
    let words = files.map(\.lastWord)
    var edit = CollectionEdit(name)
    var own = members[name] ?? []
    own.removeAll { words.contains($0) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      edit.insert(files, at: .last)
      own += words
    case 1:
      edit.insert(files, at: .first)
      own = words + own
    default: edit.remove(files)
    }
    members[name] = own
    return StepRequest(CollectionChange(edit, on: known), ofShots: shots)
  }
}

extension Photo {
  fileprivate var word: String { file?.lastWord ?? "" }
}
