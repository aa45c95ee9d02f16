import ArgumentParser
import Configuration
import Foundation
import Gallery
import ImageWire
import Images
import Photos
import Resources
import Services
import Steps
import ViewModels
import WorkerPool

/// The command that makes new files of photos.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Make new files of photos, such as smaller JPEGs.",
    discussion: """
      For example: tintype export ~/Pictures/oslo --to ~/web --long-edge 2048 --name '{date}_{seq:3}'

      A choice that is not given is that of the preset, which is a table [export.NAME] of the configuration file. Fields of \
      names: \(NamePattern.fields.map(\.field).joined(separator: " ")). No file is ever replaced.

      The exit code is 0 if all photos were exported or skipped, 1 if one could not be exported, and 64 if the options are \
      invalid.
      """)

  @Argument(
    help:
      "Photos, and folders with their subfolders; a catalog; a photo server; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @Option(
    help: ArgumentHelp("The folder of the new files. It is created.", valueName: "folder"), completion: .directory)
  var to: FileArgument

  @Option(help: ArgumentHelp("Take the choices of a preset.", valueName: "name"))
  var preset: String?

  @OptionGroup var choices: ExportOptions

  @OptionGroup var web: WebOptions

  @Option(help: "What to do if a name is taken: give the new file a number, or skip the photo.")
  var ifTaken = NameConflict.number

  @Flag(help: "Print the names and sizes, and write nothing.")
  var dryRun = false

  func validate() throws {
    if to.bytes.isEmpty { throw ValidationError("--to needs a folder's name.") }
    try GallerySource.checkIsHere(files, command: "export")
    try GallerySource(files).check(web)
    _ = try choices.preset(ExportPreset())
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    let preset = try choices.preset(try savedPreset())
    Shell.run(Self.self) { try await export(source, preset) }
  }

  private func savedPreset() throws -> ExportPreset {
    guard let preset else { return ExportPreset() }
    let outcome = ConfigurationSource.user.read()
    if let saved = outcome.configuration.exports.first(where: { $0.name == preset }) { return saved }
    for problem in outcome.problems { Shell.print(problem.text, to: .standardError) }
    let names = outcome.configuration.exports.map(\.name)
    throw ValidationError(
      "There is no preset “\(preset.printable)”. "
        + (names.isEmpty
          ? "config.toml has none, such as [export.web]." : "There are \(names.joined(separator: ", "))."))
  }
}

/// What an export does if the name of a new file is taken.
enum NameConflict: String, ExpressibleByArgument, CaseIterable {
  case number, skip
}

extension Export {
  @MainActor
  private func export(_ source: GallerySource, _ preset: ExportPreset) async throws -> Int32 {
    let services = GalleryServices(source: source, server: try source.server(web), delay: 0, isWatching: false)
    guard let found = await Shell.photos(of: services) else { return EXIT_FAILURE }
    let server = services.photoServer
    // A live photo is exported without its movie.
    let shown = found.photos.indices.filter { !found.groups.isHidden($0) }.map { found.photos[$0] }
    let photos = server == nil ? Shell.withFiles(shown).map(\.photo) : shown
    let values = photos.enumerated().map { index, photo in
      NamePattern.Values(
        photo: photo, path: photo.file ?? photo.originalPath, sequence: index + 1)
    }
    let targets = preset.targets(of: values, in: to.path)
    let jobs = zip(photos, zip(values, targets)).map { ExportJob(image: $0.image, photo: $1.0, target: $1.1) }
    let isComplete = dryRun ? list(jobs, preset) : try await write(jobs, preset, server)
    return isComplete && found.problems.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE
  }

  private func list(_ jobs: [ExportJob], _ preset: ExportPreset) -> Bool {
    for job in jobs {
      switch job.target {
      case .success(let target):
        let isTaken = !target.isMissing
        let note = !isTaken ? "" : ifTaken == .skip ? ", taken: skipped" : ", taken: gets a number"
        Shell.print("\(job.name) → \(target.printable)\(size(of: job.photo, preset))\(note)")
      case .failure(let fault): report(job, fault.message)
      }
    }
    return jobs.allSatisfy { if case .success = $0.target { true } else { false } }
  }

  private func size(of photo: NamePattern.Values, _ preset: ExportPreset) -> String {
    guard photo.metadata.width > 0, photo.metadata.height > 0 else { return "" }
    var specification = preset.specification
    specification.crop = photo.metadata.shownCrop
    let layout = ExportLayout(
      specification, photoWidth: photo.metadata.width, photoHeight: photo.metadata.height)
    return ", \(layout.width)×\(layout.height)"
  }

  /// Exports photos on all processors, and prints the paths of the new files in the order of the photos.
  /// - Returns: Whether none failed.
  @MainActor
  private func write(
    _ jobs: [ExportJob], _ preset: ExportPreset, _ server: (any PhotoServerProtocol)?
  ) async throws -> Bool {
    guard let workerPath = Resources.imageWorker else { throw TextOnlyError() }
    if let reason = to.path.createFolder() {
      Shell.print("Can't create \(to.printable): \(reason)", to: .standardError)
      return false
    }
    let exporter = PhotoExporter(
      workerPath: workerPath, workerCount: min(jobs.count, PhotoExporter.mostWorkers))
    var (running, failedCount): ([Task<Result<Outcome, JobFault>, Never>], Int) = ([], 0)
    let atOnce = server == nil ? exporter.usefulCount : min(DownloadedFile.atOnce, exporter.usefulCount)
    var (rest, isAway) = (jobs[...], false)
    for (index, job) in jobs.enumerated() {
      while !isAway, running.count < atOnce, let next = rest.popFirst() {
        running.append(Task.onMainActor { await export(next, preset, by: exporter, from: server) })
      }
      if running.isEmpty { break }
      ProgressLine.show("\(index) of \(jobs.count) photos exported")
      let outcome = await running.removeFirst().value
      if report(outcome, of: job) { failedCount += 1 }
      // Each further photo would wait for the server as long as this one.
      if case .failure(let fault) = outcome, fault.isOutage { isAway = true }
    }
    ProgressLine.clear()
    if isAway, !rest.isEmpty {
      Shell.print("\(rest.count.photosText) not exported: the server can't be reached.", to: .standardError)
    }
    await exporter.stop()
    return failedCount == 0
  }

  @MainActor
  private func export(
    _ job: ExportJob, _ preset: ExportPreset, by exporter: PhotoExporter, from server: (any PhotoServerProtocol)?
  ) async -> Result<Outcome, JobFault> {
    let target: FilePath
    switch job.target {
    case .success(let path): target = path
    case .failure(let fault): return .failure(JobFault(message: fault.message))
    }
    if ifTaken == .skip, !target.isMissing { return .success(.skipped(target)) }
    var original: DownloadedFile?
    if job.image.file == nil, let server {
      do throws(DownloadedFile.Fault) {
        original = try await DownloadedFile(of: job.image, from: server, for: target)
      } catch {
        return .failure(JobFault(message: error.message(for: target), isOutage: error.isOutage))
      }
    }
    defer { withExtendedLifetime(original) {} }
    let outcome = await exporter.export(
      original?.path ?? job.photo.path, shown: job.photo.metadata, as: preset.specification, to: target,
      isNumbering: ifTaken == .number)
    switch outcome {
    case .exported(let path, _): return .success(.exported(path))
    case .skipped: return .success(.skipped(target))
    case .failed(let fault): return .failure(JobFault(message: fault.message))
    }
  }

  /// Prints an outcome. Returns whether it is a failure.
  private func report(_ outcome: Result<Outcome, JobFault>, of job: ExportJob) -> Bool {
    ProgressLine.clear()
    switch outcome {
    case .success(.exported(let path)): Shell.print(path.printable)
    case .success(.skipped(let target)): report(job, "skipped, \(target.printable) exists")
    case .failure(let fault):
      report(job, fault.message)
      return true
    }
    return false
  }

  private func report(_ job: ExportJob, _ message: String) {
    Shell.print("\(job.name): \(message)", to: .standardError)
  }
}

extension FilePath {
  /// Creates a folder with those above it. Returns the reason why it can't be created, or nil.
  func createFolder() -> String? {
    for folder in missingFolders where folder.withCString({ mkdir($0, 0o777) }) != 0 && errno != EEXIST {
      return String(cString: strerror(errno))
    }
    return isFolder ? nil : String(cString: strerror(ENOTDIR))
  }
}

/// A new file, or the one that has its name already.
private enum Outcome: Sendable {
  case exported(FilePath)
  case skipped(FilePath)
}

/// A reason why a photo was not exported, as a sentence.
private struct JobFault: Error {
  let message: String
  /// Whether the server of the photo can't be reached.
  var isOutage = false
}

/// A photo, and the path of its new file.
private struct ExportJob: Sendable {
  let image: ImageLocation
  let photo: NamePattern.Values
  let target: Result<FilePath, NamePattern.Fault>

  /// The path of the photo, here or on its server.
  var name: String { image.file?.printable ?? String(photo.path.printable.dropFirst()) }
}
