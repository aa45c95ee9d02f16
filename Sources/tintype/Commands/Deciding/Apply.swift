import ArgumentParser
import Configuration
import Foundation
import Gallery
import Photos
import Screens
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
    let configuration = ConfigurationSource.user.read().configuration
    let template = try configuration.template(named: template)
    Shell.run(Self.self) { try await apply(template, to: source, configuration) }
  }

  @MainActor
  private func apply(
    _ template: MetadataTemplate, to source: GallerySource, _ configuration: Configuration
  ) async throws -> Int32 {
    guard let run = try await PlanRun(source, web, configuration) else { return EXIT_FAILURE }
    let possible = run.photos.capabilities.decisions
    let plan = TemplatePlan(template, forShots: run.shots, possible: possible, codes: configuration.settings.codes)
    if !plan.leftOut.isEmpty, !run.shots.isEmpty {
      Shell.print("The source of the photos can't keep: \(plan.leftOut.namesText)", to: .standardError)
      if plan.leftOut == template.decisions { return EXIT_FAILURE }
    }
    if dryRun {
      run.list(plan)
      return EXIT_SUCCESS
    }
    let unchanged = plan.unchangedCount > 0 ? ", \(plan.unchangedCount.grouped) had it all" : ""
    return await run.carryOut(plan, remark: unchanged, unread: plan.unreadCount)
  }
}

extension Configuration {
  /// Returns the template of a name.
  func template(named name: String) throws -> MetadataTemplate {
    if let template = templates.first(where: { $0.name == name }) { return template }
    for problem in ConfigurationSource.user.read().problems { Shell.print(problem.text, to: .standardError) }
    let names = templates.map(\.name.printable).joined(separator: ", ")
    throw ValidationError(
      "There is no template “\(name.printable)”. "
        + (names.isEmpty ? "config.toml has none, such as [template.press]." : "There are \(names)."))
  }
}
