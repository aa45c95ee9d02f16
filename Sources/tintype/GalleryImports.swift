import Folder
import Foundation
import Gallery
import Photos
import Services
import Steps

/// Looks for new photos on memory cards for the gallery.
struct GalleryImports: ImportServiceProtocol {
  let steps: StepService
  let parts: PhotoParts?

  func cards() async -> [FilePath] { await CardFinder.cards() }

  func forecast(
    of card: FilePath, _ rule: ImportRule, _ work: StepWork
  ) async throws(ImportFault) -> ImportForecast {
    guard card.isFolder else { throw .noCard(card) }
    if let fault = rule.fault(from: [card]) { throw fault }
    do throws(APIError) {
      let scope = FolderScope(named: [card])
      let found = try await FolderService.withWorkers(scope: scope, isWatching: false, parts: parts).completeSnapshot()
      let shots = found.photos.indices.filter { !found.groups.isHidden($0) }.map(found.photos.files)
      var forecast = try await steps.forecast(importing: shots, rule, work)
      forecast.free = await steps.forecast(.copy(to: rule.place), of: []).free
      return forecast
    } catch { throw .unreadable(error) }
  }

  func create(_ folder: FilePath) async -> Bool { await CardFinder.create(folder) }
}

/// Finds memory cards.
enum CardFinder {
  /// The folders in which desktops mount the volumes of a user (udisks).
  private static let mounts: [FilePath] = ["/run/media", "/media"]

  /// Returns the volumes that have the folder of a camera's photos, in the order of their names.
  @concurrent
  static func cards() async -> [FilePath] {
    let user = NSUserName()
    let places = mounts.flatMap { [$0.appending(user.utf8), $0] }
    let volumes = places.flatMap { place in
      ((try? FileManager.default.contentsOfDirectory(atPath: place.printable)) ?? []).sorted().map {
        place.appending($0.utf8)
      }
    }
    return volumes.filter { $0.appending("DCIM".utf8).isFolder }
  }

  @concurrent
  static func create(_ folder: FilePath) async -> Bool { folder.createFolder() == nil }
}
