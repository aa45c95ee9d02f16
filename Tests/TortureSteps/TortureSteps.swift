import Bundled
import CSystem
import Foundation
import Gallery
import Services
import Steps
import Store
import Torture

/// Random steps with the photos of a folder.
///
/// - `torture-steps FOLDER SEED` makes steps until a signal ends it in the middle of whatever it does. The photos are in
///   `FOLDER/photos`, the photos of a memory card in `FOLDER/card`, and the journal in `FOLDER/state`.
/// - `torture-steps decide FOLDER NUMBER STEPS` makes steps that decide about its photos, and writes what the photos should have
///   in the end (`OwnDecisions`).
/// - `torture-steps collect FOLDER NUMBER STEPS` makes steps with its own photos, also in collections (`OwnSteps`), and writes a byte
///   after each, then what the collections should have in the end.
/// - `torture-steps SEED ROUNDS COPIES` makes them on disks that get full, read-only or lost (`HostileRound`), and writes what went
///   wrong. It needs a namespace of its own, in which it may mount.
@main
struct TortureSteps {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.compactMap { Int($0) }
    if numbers.count == 3 {
      exit(await HostileRound.run(numbers[1], seed: numbers[0], copies: numbers[2]) ? 0 : 1)
    }
    if arguments.first == "decide", arguments.count == 4 {
      await decide(in: FilePath(arguments[2].utf8, in: .workingFolder), number: numbers[0], count: numbers[1])
    }
    if arguments.first == "collect", arguments.count == 4 {
      await collect(in: FilePath(arguments[2].utf8, in: .workingFolder), number: numbers[0], count: numbers[1])
    }
    let places = arguments.map { FilePath($0.utf8, in: .workingFolder) }
    guard places.count == 2, let seed = Int(places[1].printableName) else { exit(EX_USAGE) }
    await makeSteps(in: places[0], seed: seed)
  }

  private static func decide(in folder: FilePath, number: Int, count: Int) async -> Never {
    let photos = folder.appending("photos".utf8)
    let service = StepService(
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { _ in }, root: photos,
      usesShortNames: false)
    var decisions = OwnDecisions(number: number, photos: photos)
    for _ in 0..<count { _ = await service.write(await service.keep([decisions.next()])[0], StepWork()) }
    for line in decisions.lines { print(line) }
    exit(EXIT_SUCCESS)
  }

  private static func collect(in folder: FilePath, number: Int, count: Int) async -> Never {
    let state = folder.appending("state".utf8).printable
    let collections = KeptCollections(store: StateStore(folder: state) { _ in })
    // The gallery stops so after Ctrl-Z.
    signal(SIGUSR1) { _ in
      stop_locks(10_000)
      kill(getpid(), SIGSTOP)
      continue_locks()
    }
    let service = StepService(
      journal: StepJournal(folder: state) { _ in }, root: folder.appending("photos".utf8), usesShortNames: false,
      collections: collections)
    var steps = OwnSteps(number: number, folder: folder, collections: collections)
    var faults: [String] = []
    for _ in 0..<count {
      faults += await steps.make(with: service)
      FileHandle.standardOutput.write(Data([UInt8(ascii: ".")]))
    }
    print()
    for line in steps.lines + faults.map({ "fault \($0)" }) { print(line) }
    exit(EXIT_SUCCESS)
  }

  private static func makeSteps(in folder: FilePath, seed: Int) async -> Never {
    let photos = folder.appending("photos".utf8)
    let service = StepService(
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { _ in }, root: photos,
      usesShortNames: false)
    let targets = [
      folder.appending("near".utf8), photos.appending("below".utf8), FilePath("/dev/shm/\(folder.printableName)"),
    ]
    var steps = RandomSteps(
      photos: photos, card: folder.appending("card".utf8), targets: targets, random: SplitMix(seed: seed))
    _ = await service.resume(StepWork())
    var random = SplitMix(seed: ~seed)
    let (last, pause) = (Int.random(in: 0..<12, using: &random), UInt32.random(in: 1..<30_000, using: &random))
    for number in 0... {
      if number == last { ualarm(pause, 0) }
      let work = StepWork()
      steps.mayStop(work)
      if Int.random(in: 0..<6, using: &random) == 0 {
        await steps.goBackAndMake(with: service, work)
      } else {
        _ = await steps.make(with: service, work)
      }
    }
    exit(EXIT_SUCCESS)
  }
}
