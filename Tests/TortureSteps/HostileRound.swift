import Foundation
import Gallery
import Services
import Steps
import Store
import Synchronization
import Torture

/// Random steps of two copies of the program, on disks that get full, read-only or lost in the middle of them. When the disks are
/// back, everything is undone.
final class HostileRound {
  /// What happened in some rounds.
  struct Figures {
    var steps = 0
    var troubles = 0
    /// The contents that were at no path at some moment.
    var lost: Set<String> = []
    /// The files of others that were replaced, changed or moved away.
    var replaced: Set<String> = []
    /// The paths that were not as before when everything was undone.
    var different: Set<String> = []

    var areGood: Bool { lost.isEmpty && replaced.isEmpty && different.isEmpty }

    mutating func add(_ other: Figures) {
      steps += other.steps
      troubles += other.troubles
      lost.formUnion(other.lost)
      replaced.formUnion(other.replaced)
      different.formUnion(other.different)
    }

    var text: String {
      "\(steps) steps, \(troubles) troubles, \(lost.count) lost, \(replaced.count) replaced, \(different.count) different"
    }
  }

  private let copies: Int
  let disks: HostileDisks
  var figures = Figures()
  private var steps: RandomSteps
  private var random: SplitMix
  /// The files that are not photos of the gallery.
  var others: [FilePath: String] = [:]
  var contents: Set<String> = []
  var log: [String] = []

  private var photos: FilePath { disks.base.appending("photos".utf8) }
  private var near: FilePath { disks.base.appending("near".utf8) }
  private var out: FilePath { disks.disk.appending("out".utf8) }

  /// Makes rounds, and reports what went wrong. Returns whether nothing did.
  static func run(_ rounds: Int, seed: Int, copies: Int) async -> Bool {
    var all = Figures()
    for seed in seed..<seed + rounds {
      guard let round = try? HostileRound(seed: seed, copies: copies) else {
        print("no disks: \(String(cString: strerror(errno)))")
        return false
      }
      await round.run()
      // Two copies may be in each other's way.
      if copies > 1 { round.figures.different = [] }
      all.add(round.figures)
      guard !round.figures.areGood else { continue }
      print("seed \(seed): \(round.figures)")
      if rounds == 1 { print(round.log.joined(separator: "\n")) }
    }
    print("\(rounds) rounds, \(all.text)")
    return all.areGood
  }

  private init(seed: Int, copies: Int) throws {
    self.copies = copies
    random = SplitMix(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    disks = try HostileDisks(root: FilePath(folder))
    let (base, disk) = (disks.base, disks.disk)
    let targets = ["near", "new", "photos/below", "disk/out", "disk/new"].map { base.appending($0.utf8) }
    steps = RandomSteps(
      photos: base.appending("photos".utf8), card: base.appending("card".utf8), targets: targets, isExporting: true,
      random: SplitMix(seed: ~seed))
    setenv("XDG_DATA_HOME", base.appending("data".utf8).printable, 1)
    fillFolders(disk)
    contents = Set(Listing(base).files.filter { !$0.isSidecar }.map(\.lastWord))
  }

  private func fillFolders(_ disk: FilePath) {
    for number in 0..<8 {
      add("photos/p\(number).jpg")
      if number % 3 == 0 { add("photos/p\(number).raf") }
      if number % 4 == 1 { add("photos/p\(number).xmp", Self.sidecar) }
      if number % 2 == 0 { add("photos/p\(number).jpg.xmp", Self.sidecar) }
    }
    add("photos/below/p1.jpg")
    add("photos/\u{1B}[2J\nhostile.jpg")
    add("photos/" + String(repeating: "long", count: 58) + ".jpg")
    symlink("../linked", photos.appending("l0.jpg".utf8).printable)
    for name in ["c0.jpg", "c1.jpg", "c1.raf", "c1.xmp"] { add("card/\(name)") }
    for folder in ["near", "disk/out", "elsewhere"] { for name in ["p1.jpg", "p2.jpg"] { other("\(folder)/\(name)") } }
    for name in ["p0.jpg", "p3.jpg", "p0.jpg.xmp", "c0.jpg", "below/p1.jpg"] { other("elsewhere/\(name)") }
    other("linked")
  }

  private func other(_ name: String) {
    let path = add(name)
    others[path] = path.fingerprint
  }

  /// Creates a file, with its name as its last word.
  @discardableResult
  private func add(_ name: String, _ text: String? = nil) -> FilePath {
    let path = FilePath("\(disks.base.printable)/\(name)")
    try? FileManager.default.createDirectory(atPath: path.folder.printable, withIntermediateDirectories: true)
    let size = Int.random(in: 0..<12_000, using: &random)
    let padding = String(repeating: "x", count: size)
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o640) }
    let bytes = Array((text ?? "\(padding) \(name.printable)").utf8)
    _ = write(file, bytes, bytes.count)
    futimens(file, [timespec(tv_sec: 500_000, tv_nsec: 7), timespec(tv_sec: 500_000, tv_nsec: 7)])
    close(file)
    return path
  }

  private static let sidecar = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmp:MetadataDate="2020-01-01T00:00:00Z"/></rdf:RDF></x:xmpmeta>
    """
}

// MARK: - Steps

extension HostileRound {
  private func makeService() -> StepService {
    StepService(
      journal: StepJournal(folder: disks.state.printable) { print("journal: \($0.message)") },
      root: disks.base, usesShortNames: false, exporter: Copier())
  }

  private func run() async {
    let before = fingerprints()
    let services = (0..<copies).map { _ in makeService() }
    // A copy that starts with a full disk keeps its steps in memory.
    for service in services { _ = await service.undo(StepWork()) }
    for _ in 0..<12 { await makeStepsInTrouble(services) }
    let service = makeService()
    note("resume", await service.resume(StepWork()))
    for _ in 0..<500 {
      guard let step = await service.undo(StepWork()) else { break }
      note("undo \(step.title)", step)
    }
    check("after everything was undone")
    let after = fingerprints()
    figures.different = Set(
      before.keys.filter { after[$0] != before[$0] } + after.keys.filter { before[$0] == nil }.map { "+ \($0)" })
    disks.remove()
  }

  private func makeStepsInTrouble(_ services: [StepService]) async {
    let trouble = HostileDisks.Trouble.allCases.randomElement(using: &random)!
    let folder = [photos, photos, near, out, photos.appending("below".utf8)].randomElement(using: &random)!
    let room = Int.random(in: 0..<12_000, using: &random)
    // The trouble begins in the middle of a step: after so many changes of its progress.
    let count = Mutex(Int.random(in: 0..<16, using: &random))
    let isIn = Mutex(false)
    let isBack = trouble.hidesPhotos && Bool.random(using: &random)
    let work = StepWork { [disks] progress in
      let isNow = count.withLock { count in
        // A photo of another folder at the same path would be the one that the user has requested.
        if count == 1, trouble.hidesPhotos, !isBack, progress.planned < max(1, progress.total) {
          return false
        }
        count -= 1
        return count == 0
      }
      if isNow, disks.begin(trouble, in: folder, room: room) { isIn.withLock { $0 = true } }
    }
    // What waits is planned before what is requested.
    for service in services { _ = await service.resume(StepWork()) }
    await step(services, work, isBack: isBack)
    if isIn.withLock(\.self) {
      figures.troubles += 1
      note("  \(trouble) \(folder.printableName) room \(room)")
    } else {
      if disks.begin(trouble, in: folder, room: room) { figures.troubles += 1 }
      note("  late \(trouble) \(folder.printableName) room \(room)")
    }
    check("\(trouble)")
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      await step(services, StepWork(), isBack: trouble.hidesPhotos)
      check("\(trouble)")
    }
    disks.end()
    note("  end")
    for _ in 0..<Int.random(in: 0..<2, using: &random) { await step(services, StepWork(), isBack: false) }
    check("after \(trouble)")
  }

  private func step(_ services: [StepService], _ work: StepWork, isBack: Bool) async {
    let service = services.randomElement(using: &random)!
    figures.steps += 1
    let step = isBack ? await steps.goBack(with: service, work) : await steps.make(with: service, work)
    if let step { note("\(isBack ? "back: " : "")\(step.title)", step) }
  }

  func note(_ text: String, _ step: Step? = nil) {
    log.append(text)
    for part in step?.parts ?? [] { log.append("    \(part.photo.printable): \(part.outcome)") }
    if let fault = step?.fault { log.append("    \(fault.message)") }
  }
}
