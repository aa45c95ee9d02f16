import Configuration
import Foundation
import Gallery
import Photos
import Services
import Sheets
import Steps
import ViewModels

// The option --pick, which turns a client's list into picks.
extension Browse {
  /// Gives a star to the photos of a list that have none, as one step, which the gallery can undo.
  ///
  /// - Returns: The exit code: 1 if a name fits no photo or several, or if a photo can't be picked.
  @MainActor
  func pick(_ list: FileArgument, in source: GallerySource) async -> Int32 {
    guard let text = Self.text(of: list) else { return EXIT_FAILURE }
    let configuration = ConfigurationSource.user.read().configuration
    let parts = PhotoParts(editedEndings: configuration.editedEndings)
    guard let photos = await Shell.photos(of: source, parts: parts)?.photos else { return EXIT_FAILURE }
    let names = SheetNames(photos.indices.map { photos.image(at: $0).file ?? "/" }, in: source.root)
    let picks = PickList(text, names) { photos.groups.leader(of: TableIndex($0)).value }
    let new = picks.picked.map { photos.files(of: TableIndex($0)) }.filter { !$0.isPick }
    let faults = await give(star: new, in: source, sidecars ?? configuration.sidecars)
    report(picks, names, newCount: faults.isEmpty ? new.count : nil)
    for fault in faults { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
    return faults.isEmpty && picks.unknown.isEmpty && picks.ambiguous.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
  }

  /// Makes and writes a step.
  /// - Returns: The faults because of which photos are not picked.
  @MainActor
  private func give(star shots: [[Photo]], in source: GallerySource, _ sidecars: SidecarNames) async -> [StepFault] {
    if shots.isEmpty { return [] }
    let stores = Stores { problem in Shell.print(problem.message, to: .standardError) }
    let service = GalleryServices.makeSteps(stores, root: source.root, sidecars)
    let request = StepRequest(
      .decision(.rating(1)), forShots: shots, called: shots.count == 1 ? nil : shots.count.photosText)
    return await service.carryOut(request)
  }

  /// - Parameter newCount: The number of photos that have got a star; nil if some could not get one.
  private func report(_ picks: PickList, _ names: SheetNames, newCount: Int?) {
    var parts: [String] = []
    if let newCount {
      parts.append("\(newCount.grouped) picked")
      let former = picks.picked.count - newCount
      if former > 0 { parts.append("\(former.grouped) already picked") }
    }
    if !picks.unknown.isEmpty {
      parts.append("\(picks.unknown.count.grouped) not found: \(picks.unknown.joined(separator: ", "))")
    }
    Shell.print(parts.joined(separator: ", "))
    for ambiguity in picks.ambiguous {
      let photos = ambiguity.photos.map(names.wholeName).joined(separator: " or ")
      Shell.print("\(ambiguity.name) is ambiguous: \(photos)?", to: .standardError)
    }
  }

  /// Returns the text of a list, or nil with a message if it can't be read.
  private static func text(of list: FileArgument) -> String? {
    let descriptor = list.isStandardInput ? STDIN_FILENO : list.path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    do {
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
      return String(decoding: data ?? Data(), as: UTF8.self)
    } catch {
      Shell.print("Can't read \(list.printable): \(error.localizedDescription)", to: .standardError)
      return nil
    }
  }
}

extension [Photo] {
  /// Whether the photo of these files has a star.
  fileprivate var isPick: Bool {
    reduce(Int?.none) { PhotoDecisions.rating($0, orElse: $1.metadata?.rating) } ?? 0 > 0
  }
}
