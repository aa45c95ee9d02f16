import ArgumentParser
import Configuration
import Foundation
import Gallery
import Photos
import ViewModels

/// The command that corrects the times of photos whose camera had a wrong clock.
struct Clock: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Correct the times of photos whose camera had a wrong clock or time zone.",
    discussion: """
      For example: tintype clock ~/Pictures/oslo --camera X100V --by +1:00

      The times go into XMP sidecars, and the gallery undoes the step. No photo is changed. A difference is written as +1:00:00, -0:05 or \
      "+2d 3:00", and a time zone as +02:00 or Europe/Lisbon. With --at, the difference is that of one photo. With --zone, photos get \
      the time of another zone.

      The exit code is 0 if all photos have the right time, 1 if one could not get it, and 64 if an option is invalid.
      """)

  @Argument(
    help: "Photos, and folders with their subfolders; a photo server; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @OptionGroup var web: WebOptions

  @Option(help: ArgumentHelp("Add a difference to each time.", valueName: "difference"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      "The right time of --photo, such as 2026-05-03 14:03:20 or 14:03:20. The others shift by the same difference.",
      valueName: "time")
  )
  var at: String?

  @Option(help: ArgumentHelp("The photo that --at is about: its name or path.", valueName: "file"))
  var photo: String?

  @Option(
    help: ArgumentHelp(
      "The time zone whose time the clock showed. By default, it is that in the files.", valueName: "zone"))
  var clockZone: String?

  @Option(help: ArgumentHelp("The time zone whose time the photos get.", valueName: "zone"))
  var zone: String?

  @Option(help: ArgumentHelp("Correct only the photos of a camera, by a part of its name.", valueName: "name"))
  var camera: String?

  @Flag(help: "Print the new times, and write nothing.")
  var dryRun = false

  func validate() throws {
    try GallerySource.checkIsHere(files, command: "clock")
    try GallerySource(files).check(web)
    if by == nil, at == nil, clockZone == nil, zone == nil {
      throw ValidationError("Name a correction with --by, --at, --clock-zone or --zone.")
    }
    if by != nil, at != nil { throw ValidationError("--by and --at say the same in two ways. Leave one out.") }
    if (at == nil) != (photo == nil) { throw ValidationError("--at and --photo need each other.") }
    _ = try correction()
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    let configuration = ConfigurationSource.user.read().configuration
    Shell.run(Self.self) { try await correct(source, configuration) }
  }

  /// Returns the correction without that of ``at``.
  private func correction() throws -> ClockCorrection {
    var correction = ClockCorrection()
    if let by {
      guard let difference = ClockDifference(by) else {
        throw ValidationError("“\(by.printable)” isn’t a difference. Examples: +1:00:00, -0:05, \"+2d 3:00\".")
      }
      correction.difference = difference.seconds
    }
    correction.cameraZone = try Self.zone(clockZone)
    correction.zone = try Self.zone(zone)
    return correction
  }

  private static func zone(_ name: String?) throws -> ClockZone? {
    guard let name else { return nil }
    guard let zone = ClockZone(name) else {
      throw ValidationError("There is no time zone “\(name.printable)”. Examples: +02:00, Europe/Lisbon.")
    }
    return zone
  }

  @MainActor
  private func correct(_ source: GallerySource, _ configuration: Configuration) async throws -> Int32 {
    guard let run = try await PlanRun(source, web, configuration) else { return EXIT_FAILURE }
    guard run.shots.isEmpty || run.photos.capabilities.decisions.contains(.takenAt) else {
      Shell.print("The source of the photos can't keep times.", to: .standardError)
      return EXIT_FAILURE
    }
    var correction = try correction()
    if let at, let photo { correction.difference = try Self.difference(at, of: photo, in: run.shots) }
    let shots = run.shots.filter { shot in
      camera.map { wanted in shot.contains { $0.photo.hasCamera(wanted) } } ?? true
    }
    if let camera, shots.isEmpty {
      let all = Set(run.shots.compactMap(\.first?.photo.camera)).sorted().map(\.printable).joined(separator: ", ")
      Shell.print("No photo is of “\(camera.printable)”. There are: \(all)", to: .standardError)
      return EXIT_FAILURE
    }
    let plan = ClockPlan(correction, forShots: shots)
    if dryRun {
      run.list(plan)
      for line in plan.remarks { Shell.print(line, to: .standardError) }
      return EXIT_SUCCESS
    }
    for line in plan.remarks { Shell.print(line, to: .standardError) }
    return await run.carryOut(plan)
  }

  /// Returns the seconds after which the time of a photo is right.
  private static func difference(_ time: String, of name: String, in shots: [[ShownFile]]) throws -> Double {
    let path = Array(name.utf8)
    let found = shots.joined().filter { file in
      file.photo.file.map { $0.bytes == path || Array($0.name) == path || $0.bytes.hasSuffix([0x2F] + path) } ?? false
    }
    guard let first = found.first, found.count == 1 else {
      throw ValidationError(
        found.isEmpty
          ? "No photo is called “\(name.printable)”."
          : "Several photos are called “\(name.printable)”. Name the path.")
    }
    guard let old = first.decisions.takenAt else {
      throw ValidationError("The camera has written no time into “\(name.printable)”.")
    }
    guard let right = CaptureTime(typed: time, day: old) else {
      throw ValidationError("“\(time.printable)” isn’t a time. Examples: 2026-05-03 14:03:20, 14:03:20.")
    }
    return right.clock - old.clock.rounded(.down)
  }
}

extension Photo {
  /// Returns whether the name of the camera has a text, in any case of letters.
  fileprivate func hasCamera(_ text: String) -> Bool {
    (camera ?? metadata?.camera)?.lowercased().contains(text.lowercased()) ?? false
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ other: [UInt8]) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }
}
