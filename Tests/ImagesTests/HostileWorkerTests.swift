import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images
@testable import hostile_worker

/// What a worker can make the gallery do that a hostile file has taken over: nothing but to report the file, and to go on with a new
/// worker.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class HostileWorkerTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// The faults of photos; nil for one of which the image is shown.
  private static let faults: [ImageAttack: ImageFault?] = [
    .answersAnother: .invalidAnswer, .answersTwice: nil, .floods: nil, .ends: .crashed, .endsAfterLength: .crashed,
    .claimsTooMuch: .invalidAnswer, .claimsMuch: .invalidAnswer, .sendsZeros: .invalidAnswer,
    .sendsMoreColumns: .invalidAnswer, .sendsMoreRows: .invalidAnswer, .sendsMostCells: .invalidAnswer,
    .sendsLargeGraphic: .invalidAnswer, .sendsMostBytes: .invalidAnswer, .sendsOtherKind: .invalidAnswer,
    .sendsFileName: .invalidAnswer, .sendsOtherSequences: .invalidAnswer, .sendsNoPreview: .invalidAnswer,
    .sendsAppraisal: .invalidAnswer, .sendsExport: .invalidAnswer, .sendsListing: .invalidAnswer,
    .sendsTransfer: .invalidAnswer, .hasNoHeight: .invalidAnswer, .hasNoWidth: .invalidAnswer, .isHuge: nil,
    .hasManyFrames: nil, .isNeverSharp: nil, .isLongFilm: nil, .hasLongReason: .invalidAnswer,
    .hasEscapes: .damaged(.library(reason: "")), .hasExtremes: .damaged(.bitmap(depth: .min, compression: .max)),
    .hasLargeSize: .tooLarge(width: .max, height: .min), .passesDescriptors: nil,
  ]

  /// The attacks that begin before there is a file.
  private static let atStart: Set<ImageAttack> = [.answersUnasked, .endsAtOnce]

  /// Returns a loader whose workers make an attack, and the number of processes that it has started.
  private func loader(_ attack: ImageAttack) throws -> (ImageLoader, startCount: () -> Int) {
    let (worker, startCount) = try worker(attack.rawValue)
    return (ImageLoader(workerPath: worker, workerCount: 2), startCount)
  }

  private func worker(_ attack: String) throws -> (path: String, startCount: () -> Int) {
    let starts = folder.path.printable + "/\(attack).starts"
    let script = try folder.writeScript(
      "HOSTILE_ATTACK=\(attack) HOSTILE_STARTS='\(starts)' exec '\(ImageLoaderTests.hostileWorkerPath)' \"$@\"",
      as: attack)
    return (
      script.printable,
      { ((try? String(contentsOfFile: starts, encoding: .utf8)) ?? "").split(separator: "\n").count }
    )
  }

  /// Requests an image frame after frame until no better rendition is on its way.
  private func outcome(of name: String, _ format: OutputFormat, with loader: ImageLoader) async throws
    -> ImageLoader.Rendition
  {
    let screen = RenditionScreen(format: format, cellWidth: 10, cellHeight: 20)
    let specification = RenditionSpecification(
      .file(folder.path.appending(name.utf8)), columns: 24, rows: 9, on: screen)
    guard let rendition = await loader.sharpRendition(of: specification, within: 20) else {
      throw ImageLoaderTests.Unexpected(rendition: "a better one after each of 20 frames")
    }
    return rendition
  }

  @Test(arguments: ImageAttack.allCases, [OutputFormat.symbols(.truecolor, .blocks), .sixel(colors: 256)])
  func aHijackedImageWorkerFailsItsPhotoAlone(attack: ImageAttack, format: OutputFormat) async throws {
    guard !Self.atStart.contains(attack) else { return }
    let (loader, startCount) = try loader(attack)
    let fault = try #require(Self.faults[attack], "an attack without an expected fault")
    #expect(isShown(try await outcome(of: "before.jpg", format, with: loader)))
    let rendition = try await outcome(of: "hostile.jpg", format, with: loader)
    if let fault { expect(fault, rendition) } else { #expect(isShown(rendition)) }
    // A worker that says that a photo is damaged stays, and may say that of others.
    if fault == nil || fault == .invalidAnswer || fault == .crashed {
      #expect(isShown(try await outcome(of: "after.jpg", format, with: loader)))
    }
    // Each of the two requests of the photo takes two processes at most, and the next photo another.
    #expect(startCount() <= 6, "\(startCount()) processes")
    withExtendedLifetime(loader) {}
  }

  private func isShown(_ rendition: ImageLoader.Rendition) -> Bool {
    switch rendition {
    case .cells(let image): image.cells.allSatisfy { $0.scalar == 0x23 }
    case .graphic: true
    default: false
    }
  }

  private func expect(_ fault: ImageFault, _ rendition: ImageLoader.Rendition) {
    guard case .failed(let found) = rendition else {
      Issue.record("\(rendition)")
      return
    }
    #expect(found.message == found.message.printable)
    if fault == .damaged(.library(reason: "")) {
      #expect(found.message.contains("a�]0;b��31mc"))
    } else {
      #expect(found == fault)
    }
  }

  /// No other test runs in the process, whose memory is measured.
  @Test func hijackedWorkersTakeNoMemoryOfTheGallery() async throws {
    await #expect(processExitsWith: .success) {
      let tests = try await HostileWorkerTests()
      let before = residentMemory()
      for format in [OutputFormat.symbols(.truecolor, .blocks), .sixel(colors: 256)] {
        for attack in ImageAttack.allCases where !(await HostileWorkerTests.atStart).contains(attack) {
          try await tests.showMany(attack, format)
          let growth = residentMemory() - before
          #expect(growth < 20 << 10, "\(growth) KB after \(attack)")
        }
      }
    }
  }

  private func showMany(_ attack: ImageAttack, _ format: OutputFormat) async throws {
    let (loader, _) = try loader(attack)
    for number in 0..<4 { _ = try await outcome(of: "hostile-\(number).jpg", format, with: loader) }
  }

  /// The kernel closes what comes with bytes that are read without asking for it.
  @Test func descriptorsFromAWorkerAreDropped() async throws {
    let (loader, _) = try loader(.passesDescriptors)
    for number in 0..<40 {
      #expect(isShown(try await outcome(of: "hostile-\(number).jpg", .symbols(.truecolor, .blocks), with: loader)))
    }
    let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    #expect(FileManager.default.fileExists(atPath: folder.path.printable + "/passed"))
    #expect(!own.contains { $0.hasPrefix(folder.path.printable) && $0.hasSuffix("/passed") })
  }
}

// MARK: - Starts

extension HostileWorkerTests {
  /// Without a limit, each photo would take two processes, and that without a pause.
  @Test func workersThatEndAtOnceAreStartedOnceASecond() async throws {
    let (path, startCount) = try worker(ImageAttack.endsAtOnce.rawValue)
    let start = ContinuousClock.now
    var seconds = 0
    let starts = WorkerStarts { start + .seconds(seconds) }
    let workers = (0..<2).map { _ in ImageWorker(path: path, starts: starts) }
    func faults(_ count: Int) async -> Set<ImageFault?> {
      var faults: Set<ImageFault?> = []
      for number in 0..<count { faults.insert(await fault(of: number, from: workers[number % 2])) }
      return faults
    }
    #expect(await faults(40) == [.endsAtOnce])
    #expect(startCount() == 2)
    for _ in 0..<3 {
      seconds += 1
      #expect(await faults(40) == [.endsAtOnce])
    }
    #expect(startCount() == 5)
  }

  private func fault(of number: Int, from worker: ImageWorker) async -> ImageFault? {
    let request = ImageRequest.show(
      folder.path.appending("\(number).jpg".utf8), 1, 1, cell: (1, 1), .symbols(.truecolor, .blocks))
    return await withCheckedContinuation { continuation in
      worker.onAnswer = { answer in
        if case .failure(let fault) = answer.content {
          continuation.resume(returning: fault)
        } else {
          continuation.resume(returning: nil)
        }
      }
      worker.send(request)
    }
  }

  /// The pause ends with the first answer.
  @Test func aProcessThatAnswersEndsThePause() {
    var now = ContinuousClock.now
    let starts = WorkerStarts { now }
    starts.fail(.endsAtOnce)
    #expect(starts.refusal == nil)
    starts.fail(.endsAtOnce)
    #expect(starts.refusal == .endsAtOnce)
    now += WorkerStarts.pause
    #expect(starts.refusal == nil)
    starts.succeed()
    starts.fail(.endsAtOnce)
    #expect(starts.refusal == nil)
  }

  /// A process that attacks before it is asked for anything is not asked again for the same photo.
  @Test func aWorkerThatAnswersUnaskedIsStartedOnceForAPhoto() async throws {
    let (loader, startCount) = try loader(.answersUnasked)
    for number in 0..<10 {
      let rendition = try await outcome(of: "\(number).jpg", .symbols(.truecolor, .blocks), with: loader)
      #expect(rendition == .failed(.invalidAnswer))
    }
    #expect(startCount() <= 41, "\(startCount()) processes")
  }

  /// Without a limit, each of the photos would take two processes.
  @Test func readersOfMetadataThatEndAtOnceAreNotStartedForEachPhoto() async throws {
    let (worker, startCount) = try worker(MetadataAttack.endsAtOnce.rawValue)
    let workers = MetadataWorkers(workerPath: worker, workerCount: 2)
    let photos = (0..<64).map { FoundPhoto(path: folder.path.appending("\($0)".utf8)) }
    let results = await workers.metadata(of: photos)
    let reason = "it ends at once"
    #expect(results == Array(repeating: .failure(.noWorker(reason: reason)), count: 64))
    #expect(startCount() == 1)
  }
}

// MARK: - Metadata

extension HostileWorkerTests {
  @Test(arguments: MetadataAttack.allCases.filter { $0 != .endsAtOnce })
  func aHijackedReaderOfMetadataFailsItsPhotoAlone(attack: MetadataAttack) async throws {
    let (worker, startCount) = try worker(attack.rawValue)
    let workers = MetadataWorkers(workerPath: worker, workerCount: 1)
    let names = ["a", "b", "hostile", "c", "d"]
    let results = await workers.metadata(of: names.map { FoundPhoto(path: folder.path.appending($0.utf8)) })
    if attack == .hasEscapes {
      // It may be what a file says, and is made printable.
      #expect(try results[0].get().metadata.title == "a�]0;b�")
      return
    }
    for (name, result) in zip(names, results) {
      switch result {
      case .success(let record): #expect(record.metadata.title == name)
      case .failure(let fault): #expect(name == "hostile" && fault == .harmful, "\(name): \(fault)")
      }
    }
    #expect(startCount() <= 6, "\(startCount()) processes")
  }
}

// MARK: - Archives

extension HostileWorkerTests {
  /// Lists an archive as the gallery does, and returns the names, or the fault.
  private func list(_ attack: ListingAttack) async throws -> Result<[String], ImageFault> {
    let lister = ArchiveLister(workerPath: try worker(attack.rawValue).path)
    var (names, start): ([String], Int?) = ([], 0)
    while let place = start, names.count < 1000 {
      switch await lister.listing(of: folder.path.appending("a.zip".utf8), from: place, readsMetadata: false) {
      case .success(let part):
        names += part.entries.map { String(decoding: $0.name, as: UTF8.self) }
        start = part.next
      case .failure(let fault): return .failure(fault)
      }
    }
    return .success(names)
  }

  @Test(arguments: [ListingAttack.staysInPlace, .goesBack, .hasMoreThanItPassed, .hasFutureDates, .hasLongNames])
  func aListThatCannotBeIsRefused(attack: ListingAttack) async throws {
    #expect(try await list(attack) == .failure(.invalidAnswer))
  }
}
