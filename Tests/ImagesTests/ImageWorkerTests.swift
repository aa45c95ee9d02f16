import Foundation
import Gallery
import ImageWire
import TestPhotos
import Testing

@testable import Images

/// Workers that fail, hang or answer late, and workers that are no longer needed.
extension ImageLoaderTests {
  @Test func aWorkerThatFailsAffectsOnlyItsImage() async throws {
    let path = TestPhotos.path("coffee.jpg")
    for (worker, wanted) in [
      ("/no/such/worker", .noWorker(reason: String(cString: strerror(ENOENT)))), ("/bin/false", .endsAtOnce),
      ("/bin/echo", .endsAtOnce),
    ] as [(String, ImageFault)] {
      let loader = ImageLoader(workerPath: worker, workerCount: 1)
      guard case .failed(let fault) = await rendition(path, with: loader) else { throw Unexpected(rendition: worker) }
      #expect(fault == wanted, "\(worker): \(fault)")
    }
    _ = try await cells(path)
  }

  /// A process that has ended, but that nobody has waited for, still takes signals.
  @Test func workersAreWaitedFor() async throws {
    let folder = try ImageFolder()
    let queue = RenditionQueue(workerPath: folder.workerPath, workerCount: 1)
    let request = ImageRequest.show(
      FilePath(TestPhotos.path("coffee.jpg")), 10, 5, cell: (8, 16), .symbols(.truecolor, .blocks))
    guard case .cells = await queue.render(request).content else { throw Unexpected(rendition: "no cells") }
    let worker = try #require(ImageFolder.processes(running: folder.workerPath).first)
    await queue.stop()
    #expect(kill(worker, 0) == -1 && errno == ESRCH)
  }

  /// The worker never answers, and does not end when its socket is closed, as a stopped process does not.
  @Test(.timeLimit(.minutes(5))) func aWorkerThatHangsIsKilledAndTheNextImageGetsANewOne() async throws {
    let folder = try ImageFolder()
    let worker = try folder.writeScript("echo $$ >> \"$0.started\"\nexec sleep 100000", as: "hangs")
    func started() -> [pid_t] {
      let text = try? String(contentsOfFile: worker.printable + ".started", encoding: .utf8)
      return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }
    defer { for process in started() { kill(process, SIGKILL) } }
    let loader = ImageLoader(workerPath: worker.printable, workerCount: 1, patience: .milliseconds(100))
    var failures: [ImageFault] = []
    for name in ["coffee", "chelsea"] {
      let specification = RenditionSpecification(
        .file("\(Self.photos)/\(name).jpg"), columns: 24, rows: 9, on: Self.screen)
      let hasFailed = await eventually {
        loader.beginFrame()
        defer { loader.endFrame() }
        guard case .failed(let fault) = loader.rendition(of: specification).0 else { return false }
        failures.append(fault)
        return true
      }
      #expect(hasFailed, "the loader still waits for \(name)")
    }
    #expect(failures.allSatisfy { $0 == .unresponsive }, "\(failures)")
    // All of the workers have ended.
    let processes = started()
    #expect(processes.count >= 2)
    #expect(await eventually { processes.allSatisfy { kill($0, 0) != 0 } }, "\(processes) still run")
  }

  /// A worker that a file has taken over could send answers without end.
  @Test(.timeLimit(.minutes(5))) func aWorkerThatAnswersWithoutARequestIsKilled() async throws {
    let folder = try ImageFolder()
    let answer = ImageAnswer(number: 1, content: .noPreview).framed
    let script = try folder.writeScript(
      "echo $$ > \"$0.started\"\ncat \"$0.answers\" >&0\nexec sleep 100000", as: "chatters")
    _ = try folder.write(answer + answer, as: "chatters.answers")
    let worker = ImageWorker(path: script.printable)
    var answers: [ImageAnswer] = []
    worker.onAnswer = { answers.append($0) }
    worker.send(
      ImageRequest.show(FilePath(TestPhotos.path("coffee.jpg")), 1, 1, cell: (1, 1), .iterm, .preview))
    #expect(await eventually { !answers.isEmpty })
    let text = try String(contentsOfFile: script.printable + ".started", encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    defer { kill(process, SIGKILL) }
    #expect(await eventually { kill(process, 0) != 0 }, "the worker still runs")
    #expect(answers.map(\.content) == [.noPreview])
    withExtendedLifetime(worker) {}
  }

  /// The thread that starts it blocks all signals, but the limits of a worker are signals.
  @Test func aWorkerTakesSignals() async throws {
    let folder = try ImageFolder()
    _ = await folder.answer(FilePath(TestPhotos.path("coffee.jpg")))
    let worker = try #require(ImageFolder.processes(running: folder.workerPath).first)
    let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
    #expect(status.contains("SigBlk:\t0000000000000000\n"))
  }

  /// The process is not known yet when it is stopped.
  @Test func aWorkerThatIsStoppedWhileItStartsLeavesNoProcess() async throws {
    let folder = try ImageFolder()
    let script = try folder.writeScript("echo $$ >> \"$0.started\"\nexec sleep 100000", as: "sleeps")
    func started() -> [pid_t] {
      let text = try? String(contentsOfFile: script.printable + ".started", encoding: .utf8)
      return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }
    defer { for process in started() { kill(process, SIGKILL) } }
    for _ in 0..<20 { await Connection<ImageAnswer>(executable: script.printable).stop() }
    let last = Connection<ImageAnswer>(executable: script.printable)
    #expect(await eventually { started().contains { kill($0, 0) == 0 } })
    await last.stop()
    #expect(started().allSatisfy { kill($0, 0) != 0 })
  }

  /// A library may open files so that every program inherits them.
  @Test func aWorkerHasNoFilesOfTheGallery() async throws {
    let folder = try ImageFolder()
    let secret = try folder.write([1], as: "secret")
    let descriptor = open(secret.printable, O_RDONLY)
    defer { close(descriptor) }
    // Not even before it has closed them itself.
    let script = try folder.writeScript(
      "ls -l /proc/$$/fd > \"$0.list\"\nmv \"$0.list\" \"$0.files\"\nexec sleep 100000", as: "sleeps")
    let connection = Connection<ImageAnswer>(executable: script.printable)
    #expect(await eventually { FileManager.default.fileExists(atPath: script.printable + ".files") })
    await connection.stop()
    let files = try String(contentsOfFile: script.printable + ".files", encoding: .utf8)
    #expect(files.contains("socket:") && !files.contains(secret.printable))
  }

  /// The preview of an image that became visible is requested while the image is being decoded, and comes after it.
  @Test(.timeLimit(.minutes(5))) func aPreviewThatComesLateDoesNotReplaceTheImage() async throws {
    let folder = try ImageFolder()
    let black = SquareJPEG(columns: 2, rows: 2, shades: [0, 0, 0, 0]).baseline()
    let white = SquareJPEG(columns: 80, rows: 80, shades: Array(repeating: 255, count: 6400))
    let file = try folder.write(white.baseline(segments: [SquareJPEG.exif(thumbnail: black)]))
    let loader = ImageLoader(workerPath: folder.workerPath, workerCount: 2)
    func workers() -> [pid_t] { ImageFolder.processes(running: folder.workerPath) }
    func specification(_ file: FilePath) -> RenditionSpecification {
      RenditionSpecification(.file(file), columns: 24, rows: 9, on: Self.screen)
    }
    func ask(_ specifications: RenditionSpecification..., isAhead: Bool = false) {
      loader.beginFrame()
      for specification in specifications { _ = loader.rendition(of: specification, isAhead: isAhead) }
      loader.endFrame()
    }
    func isSharp(_ specification: RenditionSpecification) -> Bool {
      guard case (.cells, let info) = loader.rendition(of: specification) else { return false }
      return info.isSharp
    }
    // The first worker runs from the start, the second one once the first is busy. Both have to be idle before they are
    // stopped, so that the image goes to the first one and its preview to the second one, which does not answer yet.
    try #require(await eventually { workers().count == 1 })
    let first = workers()[0]
    kill(first, SIGSTOP)
    let warm = [
      specification(try folder.write(white.baseline(), as: "1")),
      specification(try folder.write(white.baseline(), as: "2")),
    ]
    try #require(
      await eventually {
        ask(warm[0], warm[1])
        return workers().count == 2
      })
    kill(first, SIGCONT)
    try #require(
      await eventually {
        ask(warm[0], warm[1])
        return warm.allSatisfy(isSharp)
      })
    let second = try #require(workers().first { $0 != first })
    defer { for worker in [first, second] { kill(worker, SIGCONT) } }
    for worker in [first, second] { kill(worker, SIGSTOP) }
    ask(specification(file), isAhead: true)
    ask(specification(file))
    // Only now may the image be decoded.
    kill(first, SIGCONT)
    let isThere = await eventually {
      guard case .cells = loader.rendition(of: specification(file)).0 else { return false }
      return true
    }
    try #require(isThere)
    let image = loader.rendition(of: specification(file))
    try #require(image.1.isSharp, "the preview was not held back")
    // Once the second worker has answered for another file, its late answer has come, too. The first worker is kept busy.
    kill(first, SIGSTOP)
    kill(second, SIGCONT)
    let busy = specification(try folder.write(white.baseline(), as: "busy"))
    let other = specification(try folder.write(white.baseline(), as: "other"))
    let isAnswered = await eventually {
      ask(busy, other)
      if case .cells = loader.rendition(of: other).0 { return true }
      return false
    }
    #expect(isAnswered)
    let (rendition, info) = loader.rendition(of: specification(file))
    guard case .cells(let before) = image.0, case .cells(let after) = rendition else {
      throw Unexpected(rendition: "\(rendition)")
    }
    #expect(info.isSharp && before == after)
  }

  /// Processes that read metadata end when there is nothing left to read.
  @Test(.timeLimit(.minutes(5))) func workersForMetadataAreReleased() async throws {
    let folder = try ImageFolder()
    let path = try folder.link(to: ImageLoaderTests.readerPath, as: "reader")
    let workers = MetadataWorkers(workerPath: path, workerCount: 2)
    let photos = (0..<4).map { _ in FoundPhoto(path: FilePath("\(Self.photos)/coffee.jpg")) }
    async let first = workers.metadata(of: photos)
    async let second = workers.metadata(of: photos)
    let results = await first + second
    #expect(results.count == 8 && results.allSatisfy { if case .success = $0 { true } else { false } })
    let isReleased = await eventually { ImageFolder.processes(running: path).isEmpty }
    #expect(isReleased, "\(ImageFolder.processes(running: path)) still run")
    // The owner of the workers lives until here, so they have not ended with it.
    withExtendedLifetime(workers) {}
  }
}
