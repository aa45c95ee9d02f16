import Foundation
import Gallery
import Photos
import Services
import Steps
import ViewModels

extension Shell {
  /// Reads all photos of a source for a command. Prints the first problem, or why the source can't be read.
  ///
  /// - Returns: nil if it can't be read.
  @MainActor
  static func photos(of source: GallerySource, parts: PhotoParts? = nil) async -> PhotoSnapshot? {
    await photos(of: GalleryServices(source: source, server: nil, delay: 0, parts: parts, isWatching: false))
  }

  /// Reads all photos of a source whose services are known, as the other function does.
  @MainActor
  static func photos(of services: GalleryServices) async -> PhotoSnapshot? {
    do throws(APIError) {
      let found = try await services.photos.completeSnapshot()
      ProgressLine.clear()
      for problem in found.problems.first { Shell.print(problem.message, to: .standardError) }
      return found
    } catch {
      ProgressLine.clear()
      Shell.print(error.messageInShell, to: .standardError)
      return nil
    }
  }

  /// Returns the photos that have a file, and says how many have none.
  static func withFiles(_ photos: [Photo]) -> [(photo: Photo, file: FilePath)] {
    let found = photos.compactMap { photo in photo.file.map { (photo, $0) } }
    if found.count < photos.count {
      Shell.print("\((photos.count - found.count).photosText) on servers left out", to: .standardError)
    }
    return found
  }
}

extension StepService {
  /// Keeps and writes a step.
  /// - Returns: The faults because of which some photos are not changed, each once.
  func carryOut(_ request: StepRequest) async -> [StepFault] {
    var faults: [StepFault] = []
    for step in await keep([request]) {
      for fault in await write(step, StepWork()).faults where !faults.contains(fault) { faults.append(fault) }
    }
    return faults
  }
}
