import ArgumentParser
import Configuration
import Foundation
import Gallery
import Photos
import Services
import Steps
import ViewModels

/// The command that gives photos the texts of a metadata template.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Give photos the creator, copyright, place and other texts of a template.",
    discussion: """
      For example: tintype apply press ~/Pictures/oslo

      A template is a table [template.NAME] of the configuration file, with a text in each line. The texts go into XMP sidecars, and \
      the gallery undoes the step. No photo is changed.

      The exit code is 0 if all photos have the texts, 1 if one could not get them, and 64 if there is no such template.
      """)

  @Argument(help: "The name of the template.")
  var template: String

  @Argument(
    help: "Photos, and folders with their subfolders; a photo server; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @OptionGroup var web: WebOptions

  @Flag(help: "Print what each photo would get, and write nothing.")
  var dryRun = false

  func validate() throws {
    try GallerySource.checkIsHere(files, command: "apply")
    try GallerySource(files).check(web)
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    let outcome = ConfigurationSource.user.read()
    guard let template = outcome.configuration.templates.first(where: { $0.name == template }) else {
      for problem in outcome.problems { Shell.print(problem.text, to: .standardError) }
      let names = outcome.configuration.templates.map(\.name)
      throw ValidationError(
        "There is no template “\(template.printable)”. "
          + (names.isEmpty
            ? "config.toml has none, such as [template.press]." : "There are \(names.joined(separator: ", "))."))
    }
    Shell.run(Self.self) { try await apply(template, to: source, outcome.configuration) }
  }

  @MainActor
  private func apply(
    _ template: MetadataTemplate, to source: GallerySource, _ configuration: Configuration
  ) async throws -> Int32 {
    let parts = PhotoParts(editedEndings: configuration.editedEndings)
    let services = GalleryServices(
      source: source, server: try source.server(web), delay: 0, parts: parts, isWatching: false)
    guard let found = await Shell.photos(of: services) else { return EXIT_FAILURE }
    let possible = found.capabilities.decisions
    let shots = found.photos.indices.filter { !found.groups.isHidden($0) }.map { index in
      found.photos.files(of: index).map { ($0, PhotoDecisions($0.metadata)) }
    }
    let plan = TemplatePlan(template, forShots: shots, possible: possible)
    if !plan.leftOut.isEmpty, !shots.isEmpty {
      Shell.print("The source of the photos can't keep: \(plan.leftOut.namesText)", to: .standardError)
      if plan.leftOut == template.decisions { return EXIT_FAILURE }
    }
    if dryRun {
      list(plan)
      return EXIT_SUCCESS
    }
    let faults = await write(plan, services, source, configuration.sidecars)
    for fault in faults { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
    if plan.unreadCount > 0 { Shell.print("Not read: \(plan.unreadCount.photosText)", to: .standardError) }
    let unchanged = plan.unchangedCount > 0 ? ", \(plan.unchangedCount.grouped) had it all" : ""
    if faults.isEmpty { Shell.print("\(plan.photoCount.photosText) changed\(unchanged)") }
    return faults.isEmpty && plan.unreadCount == 0 && found.problems.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE
  }

  private func list(_ plan: TemplatePlan) {
    for (photo, edits) in plan.changes {
      Shell.print(photo.file?.printable ?? photo.imageURL)
      for line in edits.lines { Shell.print("  \(line)") }
    }
  }

  /// Makes and writes the step.
  /// - Returns: The faults because of which photos have not got the texts.
  @MainActor
  private func write(
    _ plan: TemplatePlan, _ services: GalleryServices, _ source: GallerySource, _ sidecars: SidecarNames
  ) async -> [StepFault] {
    if plan.changes.isEmpty { return [] }
    let stores = Stores { problem in Shell.print(problem.message, to: .standardError) }
    let steps = GalleryServices.makeSteps(stores, root: source.root, sidecars, server: services.photoServer)
    return await steps.carryOut(plan.request())
  }
}
