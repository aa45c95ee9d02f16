import CSystem
import Foundation
import Gallery
import Photos
import Resources
import Services
import Steps
import Synchronization
import ViewModels
import WorkerPool

/// An import in the shell: its progress, its interruption and its report.
@MainActor
struct ImportRun {
  let steps: StepService
  let rule: ImportRule
  /// The codes that the texts of a template may have.
  let codes: CodeList

  /// The number of times that the user has pressed Ctrl-C.
  private static let interrupts = Atomic<Int>(0)

  /// Imports photos, or says what would be imported.
  /// - Parameter opens: Whether the gallery imports them.
  /// - Returns: Whether all photos were imported or left out.
  func run(_ shots: [[Photo]], isDry: Bool, opens: Bool) async throws -> Bool {
    if !isDry, let reason = rule.place.createFolder() {
      Shell.print("Can't create \(rule.place.printable): \(reason)", to: .standardError)
      return false
    }
    Self.takeInterrupts()
    // What an import has left that was killed is copied before its photos are looked for.
    if !isDry {
      let resumed = await following("Going on with what was interrupted") { await steps.resume($0) }
      for fault in Set(resumed?.faults ?? []) { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
    }
    let start = ContinuousClock.now
    let (forecast, wasStopped) = try await following("Looking for new photos") {
      (try await steps.forecast(importing: shots, rule, $0), $0.isStopped)
    }
    for failure in forecast.failures { report(failure.photo, failure.message) }
    if wasStopped { return false }
    if isDry {
      list(forecast)
      return forecast.failures.isEmpty
    }
    guard !forecast.imports.isEmpty else {
      Shell.print(ImportReport(forecast).text, to: .standardError)
      return forecast.failures.isEmpty
    }
    if try await lacksRoom(forecast) { return false }
    let plan = rule.template.map { forecast.plan($0, codes: codes) }
    let texts = plan.flatMap { $0.changes.isEmpty ? nil : $0.request() }
    let kept = await steps.keep([StepRequest(forecast.imports)] + [texts].compactMap(\.self))
    if opens, kept[0].fault == nil { try openGallery(forecast) }
    let isComplete = await write(kept[0], forecast, since: start)
    var areWritten = true
    for step in kept.dropFirst() {
      let written = await steps.write(step, StepWork())
      for fault in Set(written.faults) { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
      areWritten = written.faults.isEmpty
    }
    return isComplete && areWritten
  }

  private func write(
    _ step: Step, _ forecast: ImportForecast, since start: ContinuousClock.Instant
  ) async -> Bool {
    let (written, size) = await following("Importing") { (await steps.write(step, $0), $0.progress.copiedSize) }
    var report = ImportReport(forecast)
    report.add(written)
    report.size = size
    report.time = start.duration(to: .now)
    for path in report.done { Shell.print(path.printable) }
    for failure in report.failures + report.shortfalls { self.report(failure.photo, failure.message) }
    Shell.print(report.text, to: .standardError)
    return report.isComplete && forecast.failures.isEmpty
  }

  private func report(_ photo: FilePath, _ message: String) {
    Shell.print("\(photo.printable): \(message)", to: .standardError)
  }

  private func list(_ forecast: ImportForecast) {
    for copy in forecast.imports.flatMap(\.copies) {
      Shell.print("\(copy.source.printable) → \(copy.target.printable)")
    }
    Shell.print(ImportReport(forecast).text, to: .standardError)
  }

  private func lacksRoom(_ forecast: ImportForecast) async throws -> Bool {
    let room = await steps.forecast(.copy(to: rule.place), of: [])
    guard let free = room.free, forecast.size > free else { return false }
    Shell.print(
      "\(rule.place.printable) has not enough room: \(forecast.size.fileSizeText) are needed, and \(free.fileSizeText) are free.",
      to: .standardError)
    return true
  }

  /// Replaces this program by the gallery, which finds the step in the journal and carries it out.
  private func openGallery(_ forecast: ImportForecast) throws {
    let folders = forecast.imports.compactMap(\.photo.file?.folder)
    var folder = folders.reduce(folders[0]) { $0.common(with: $1) }
    while !folder.isThere { folder = folder.folder }
    signal(SIGINT, SIG_DFL)
    var arguments = [strdup(Resources.executable), folder.withCString { strdup($0) }, nil]
    execv(Resources.executable, &arguments)
    throw APIError.unreadableContent(
      source: Resources.executable, .system(reason: String(cString: strerror(errno))))
  }
}

// MARK: - Progress and interruption

extension ImportRun {
  /// The time between two looks at the progress.
  private static let interval = Duration.milliseconds(250)

  /// Does work, whose progress is shown, and which the user can stop.
  private func following<Result: Sendable>(
    _ title: String, _ body: @MainActor (StepWork) async throws -> Result
  ) async rethrows -> Result {
    let work = StepWork()
    let watching = Task.onMainActor {
      var first: (progress: StepProgress, time: ContinuousClock.Instant)?
      while (try? await WorkerPoolClock().sleep(for: Self.interval)) != nil {
        if Self.interrupts.load(ordering: .relaxed) > 0 { work.stop() }
        let progress = work.progress
        guard progress.total > 0 else { continue }
        if first == nil, progress.fraction > 0 { first = (progress, .now) }
        let shown = progress.shown(since: first.map { ($0.progress, $0.time.duration(to: .now)) })
        ProgressLine.show("\(title): \(shown.text)\(work.isStopped ? " · stopping after this photo" : "")")
      }
    }
    defer {
      watching.cancel()
      ProgressLine.clear()
    }
    return try await body(work)
  }

  /// Has Ctrl-C stop the import between two photos, and the second one end the program.
  private static func takeInterrupts() {
    _ = interrupts.load(ordering: .relaxed)
    signal(SIGINT) { _ in
      ImportRun.interrupts.add(1, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }
}

extension FilePath {
  /// The innermost folder that contains both folders, or is one of them.
  fileprivate func common(with other: FilePath) -> FilePath {
    var folder = self
    while folder != "/", folder != other, !other.bytes.starts(with: folder.appending([]).bytes) {
      folder = folder.folder
    }
    return folder
  }
}
