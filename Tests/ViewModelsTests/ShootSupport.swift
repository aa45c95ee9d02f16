import Foundation
import Gallery
import Services
import Synchronization

@testable import Photos
@testable import ViewModels

/// A service that knows the appraisals of files by their names, and remembers what it was asked for.
final class FakeAppraisals: AppraisalServiceProtocol {
  private let state = Mutex(
    (
      known: [FilePath: ImageAppraisal](), contents: [FilePath: FileContent](), asked: [String](), holds: false
    ))
  /// The requests for the sharpness, while they are held.
  let held = Held<Int, Void>()

  /// Whether requests for the sharpness wait until the test answers them.
  var holds: Bool {
    get { state.withLock { $0.holds } }
    set { state.withLock { $0.holds = newValue } }
  }

  var asked: [String] { state.withLock { $0.asked } }

  /// Sets the hash and the sharpness of a photo, which is the same everywhere in it.
  func set(_ name: String, hash: UInt64, sharpness: UInt16) {
    let tiles = Array(repeating: sharpness, count: ImageAppraisal.side * ImageAppraisal.side)
    state.withLock { $0.known[FilePath("/\(name)")] = ImageAppraisal(hash: hash, sharpness: tiles) }
  }

  /// Sets what is known of a photo's pixels and bytes.
  func set(_ name: String, _ appraisal: ImageAppraisal?, _ content: FileContent?) {
    state.withLock {
      $0.known[FilePath("/\(name)")] = appraisal
      $0.contents[FilePath("/\(name)")] = content
    }
  }

  func contents(of files: [FilePath]) async -> [FileContent?] {
    state.withLock { state in files.map { state.contents[$0] } }
  }

  func appraisals(of files: [FilePath], _ detail: ImageAppraisal.Detail) async -> [ImageAppraisal?] {
    let hasSharpness = detail == .sharpness
    if hasSharpness, holds { try? await held.ask(files.count) }
    return state.withLock { state in
      state.asked += files.map { "\($0.printableName)\(detail == .hash ? "" : " \(detail)")" }
      return files.map { file in
        state.known[file].map {
          ImageAppraisal(
            hash: $0.hash, sharpness: hasSharpness ? $0.sharpness : [], cells: detail == .hash ? [] : $0.cells)
        }
      }
    }
  }
}

/// A shot of a shoot.
struct Shot {
  var name: String
  /// The time in seconds.
  var time: Double
  var hash: UInt64 = 0
  var sharpness: UInt16 = 0
  var camera: String? = "X100"
  var hasTime = true
  var stars: Int?
  var title: String?
  /// The exposure bias in EV.
  var bias: Double?
  /// The exposure time in seconds.
  var exposureTime: Double?
  /// The kind of series that the camera names.
  var series: PhotoSeries?
}

/// The photo list of a folder with bursts, and the appraisals of their shots.
@MainActor
final class ShootFixture {
  let service = FakeAppraisals()
  let fixture: PhotoListFixture
  var viewModel: PhotoListViewModel { fixture.viewModel }
  var choosing: PhotoChoosingViewModel { fixture.choosing }

  init() { fixture = PhotoListFixture(appraisals: service) }

  /// A burst of three shots, of which b.jpg is the sharpest, and another photo.
  static let burst = [
    Shot(name: "a.jpg", time: 10, hash: 0, sharpness: 5), Shot(name: "b.jpg", time: 11, hash: 1, sharpness: 9),
    Shot(name: "c.jpg", time: 11, hash: 3, sharpness: 7), Shot(name: "d.jpg", time: 500, hash: .max, sharpness: 1),
  ]

  /// The names of the rows, with their stacks.
  var rows: [String] { viewModel.rows.map { row in row.stack.map { "\(row.name) \($0.text)" } ?? row.name } }

  func folder(_ shots: [Shot]) -> PhotoSnapshot {
    for shot in shots { service.set(shot.name, hash: shot.hash, sharpness: shot.sharpness) }
    var snapshot = PhotoSnapshot.all(
      shots.map { shot in
        var metadata = PhotoMetadata()
        if shot.hasTime { metadata.takenAt = CaptureTime(clock: shot.time) }
        metadata.camera = shot.camera
        metadata.rating = shot.stars
        metadata.exposureBias = shot.bias
        metadata.exposureTime = shot.exposureTime
        metadata.series = shot.series
        return Photo(
          id: shot.name.hashValue, name: shot.title ?? shot.name, createdAt: Date(timeIntervalSince1970: shot.time),
          imageURL: shot.name, image: .file(FilePath("/\(shot.name)")), camera: shot.camera, metadata: metadata)
      }
    ).with { $0.capabilities = .folder }
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    return snapshot
  }

  func load(_ shots: [Shot]) async throws {
    try await fixture.load(folder(shots))
    try await settle()
  }

  /// Waits until the stacks are found and sorted.
  func settle() async throws {
    try await end(of: choosing.stacks.finding)
    while let ordering = choosing.stacks.ordering { try await end(of: ordering) }
  }
}
