import Configuration
import Foundation
import Gallery
import Photos
import Services
import Steps
import ViewModels

/// A run of a command that changes photos by a plan: the photos are read, and the plan is printed or carried out.
@MainActor
struct PlanRun {
  /// The photos of the source.
  let photos: PhotoSnapshot
  /// The files of each photo, with the decisions that they show.
  let shots: [[ShownFile]]
  private let services: GalleryServices
  private let source: GallerySource
  private let configuration: Configuration

  /// Reads the photos of a source. Prints the first problem, and returns nil if the source can't be read.
  init?(_ source: GallerySource, _ web: WebOptions, _ configuration: Configuration) async throws {
    let parts = PhotoParts(editedEndings: configuration.editedEndings)
    services = GalleryServices(
      source: source, server: try source.server(web), delay: 0, parts: parts, isWatching: false)
    guard let found = await Shell.photos(of: services) else { return nil }
    self.source = source
    self.configuration = configuration
    photos = found
    shots = found.photos.indices.filter { !found.groups.isHidden($0) }.map { index in
      found.photos.files(of: index).map { ($0, PhotoDecisions($0.metadata)) }
    }
  }

  /// Prints what each photo would get.
  func list(_ plan: any EditPlan) {
    for (photo, edits) in plan.changes {
      Shell.print(photo.file?.printable ?? photo.imageURL)
      for line in edits.lines { Shell.print("  \(line)") }
    }
    Shell.print("\(plan.photoCount.photosText) would change. Nothing was written.", to: .standardError)
  }

  /// Makes and writes the changes as one step, and prints how many photos were changed.
  ///
  /// - Parameters:
  ///   - remark: The end of the line about them.
  ///   - unread: The number of photos that could not be read.
  /// - Returns: The exit code.
  func carryOut(_ plan: any EditPlan, remark: String = "", unread: Int = 0) async -> Int32 {
    var faults: [StepFault] = []
    if !plan.changes.isEmpty {
      let stores = Stores { problem in Shell.print(problem.message, to: .standardError) }
      let steps = GalleryServices.makeSteps(
        stores, root: source.root, configuration.sidecars, server: services.photoServer)
      faults = await steps.carryOut(plan.request())
    }
    for fault in faults { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
    if unread > 0 { Shell.print("Not read: \(unread.photosText)", to: .standardError) }
    if faults.isEmpty { Shell.print("\(plan.photoCount.photosText) changed\(remark)") }
    return faults.isEmpty && unread == 0 && photos.problems.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE
  }
}
