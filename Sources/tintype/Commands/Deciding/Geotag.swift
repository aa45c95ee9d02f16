import ArgumentParser
import Configuration
import Foundation
import Gallery
import Photos
import Services
import Tracks
import ViewModels

/// The command that gives photos positions from the track of a GPS receiver.
struct Geotag: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geotag", abstract: "Give photos positions from the track of a GPS receiver or a phone.",
    discussion: """
      For example: tintype geotag walk.gpx ~/Pictures/oslo --dry-run

      A track is a GPX, KML or NMEA file, or a folder of them. Between two points, positions are interpolated. The offset of a camera's \
      clock from UTC is that in the files, or else it is guessed by the photos that have a position, and printed. The positions go into \
      XMP sidecars, and the gallery undoes the step. No photo is changed.

      The exit code is 0 if photos have got positions, 1 if none could or one could not be written, and 64 if an option is invalid.
      """)

  @Argument(help: "The track: a file, or a folder of files.", completion: .file())
  var track: FileArgument

  @Argument(
    help: "Photos, and folders with their subfolders; a photo server; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @OptionGroup var web: WebOptions

  @Option(help: ArgumentHelp("The most time from a photo to the nearest point of the track.", valueName: "time"))
  var within = "5m"

  @Option(
    help: ArgumentHelp("The time zone of the cameras' clocks, such as +02:00 or Europe/Lisbon.", valueName: "zone"))
  var clockZone: String?

  @Flag(help: "Replace the positions that photos have.")
  var replace = false

  @Flag(help: "Print the positions, and write nothing.")
  var dryRun = false

  func validate() throws {
    try GallerySource.checkIsHere(files, command: "geotag")
    try GallerySource(files).check(web)
    _ = try rules()
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    let configuration = ConfigurationSource.user.read().configuration
    Shell.run(Self.self) { try await addPositions(to: source, configuration) }
  }

  private func rules() throws -> TrackPlan.Rules {
    var rules = TrackPlan.Rules()
    guard let limit = ClockDifference(within)?.seconds, limit > 0 else {
      throw ValidationError("“\(within.printable)” isn’t a time. Examples: 5m, 300s, 1:00:00.")
    }
    rules.limit = limit
    rules.replaces = replace
    if let clockZone {
      guard let zone = ClockZone(clockZone) else {
        throw ValidationError("There is no time zone “\(clockZone.printable)”. Examples: +02:00, Europe/Lisbon.")
      }
      rules.zone = zone
    }
    return rules
  }

  @MainActor
  private func addPositions(to source: GallerySource, _ configuration: Configuration) async throws -> Int32 {
    let tracks: [NamedTrack]
    do throws(TrackFault) {
      tracks = try await TrackService().tracks(at: FilePath(track.bytes, in: .workingFolder))
    } catch {
      Shell.print("\(String(decoding: track.bytes, as: UTF8.self).printable): \(error.message)", to: .standardError)
      return EXIT_FAILURE
    }
    guard let run = try await PlanRun(source, web, configuration) else { return EXIT_FAILURE }
    guard run.shots.isEmpty || run.photos.capabilities.decisions.contains(.latitude) else {
      Shell.print("The source of the photos can't keep positions.", to: .standardError)
      return EXIT_FAILURE
    }
    let plan = TrackPlan(tracks, try rules(), forShots: run.shots)
    for line in plan.clockLines + plan.remarks { Shell.print(line, to: .standardError) }
    if dryRun {
      run.list(plan)
      return plan.changes.isEmpty ? EXIT_FAILURE : EXIT_SUCCESS
    }
    let code = await run.carryOut(plan)
    return plan.changes.isEmpty && plan.placedCount == 0 ? EXIT_FAILURE : code
  }
}
