import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing
import Torture

@testable import Images

/// Hostile photos, which must fail without harming other images.
@Suite(.serialized, .timeLimit(.minutes(30)), .limited) final class HostilePhotoTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The test runs in a separate process, whose memory no other test uses.
  @Test func hostilePhotosHarmNoOtherImageTorture() async throws {
    let all = try FileManager.default.contentsOfDirectory(atPath: TestPhotos.folder)
      .filter { $0.hasSuffix(".jpg") }.map { String($0.dropLast(4)) }
    try HostilePhotos.write(to: folder, photos: Torture.isLong ? all : ["chelsea"])
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      try await HostilePhotoTests.renderAll(in: folder)
    }
  }

  @MainActor private static func renderAll(in folder: String) async throws {
    let tiles = try Tiles(cache: folder + "/cache")
    _ = await tiles.render(TestPhotos.path("coffee.jpg"), .full)
    let before = residentMemory()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "cache" }.sorted()
    #expect(names.count > 500)
    // Each of the two workers renders half of the files.
    let middle = names[names.count / 2]
    async let first: Void = look(at: names.filter { $0 < middle }, in: folder, tiles)
    async let second: Void = look(at: names.filter { $0 >= middle }, in: folder, tiles)
    _ = await (first, second)
    #expect(await tiles.render(TestPhotos.path("coffee.jpg"), .full).isImage)
    #expect(tiles.workersAreConfined())
    let growth = residentMemory() - before
    #expect(growth < 20 << 10, "\(growth) KB")
  }

  @MainActor private static func look(at names: [String], in folder: String, _ tiles: Tiles) async {
    for name in names { await look(at: name, in: folder, tiles) }
  }

  @MainActor private static func look(at name: String, in folder: String, _ tiles: Tiles) async {
    for stage in [RenditionStage.preview, .full] {
      let content = await tiles.render("\(folder)/\(name)", stage)
      guard stage == .full else { continue }
      if name.hasPrefix("shows-") { #expect(content.isImage, "\(name): \(content.failure?.message ?? "")") }
      if name.hasPrefix("fails-") { #expect(content.failure != nil, "\(name)") }
      // On a busy machine, the ten seconds of processor time may take longer than a minute.
      let timeouts: [ImageFault?] = [.timedOut, .unresponsive]
      if name == "fails-endless.svg" { #expect(timeouts.contains(content.failure)) }
    }
  }

  /// A file that changes while it is read has an answer, and an image once it is complete again.
  @Test(arguments: ["jpg", "png", "bmp"])
  @MainActor func filesThatChangeWhileTheyAreReadAreAnsweredTorture(format: String) async throws {
    let tiles = try Tiles(cache: folder.path + "/cache")
    let path = folder.appending(path: "changing").path
    let whole = try content(of: format)
    try Data(whole).write(to: URL(filePath: path))
    let changing = Task.detached {
      var random = SplitMix(seed: 1)
      let file = open(path, O_RDWR | O_CLOEXEC)
      defer { close(file) }
      while !Task.isCancelled {
        ftruncate(file, off_t(Int.random(in: 0...whole.count, using: &random)))
        rename(path, path + "-away")
        await Task.yield()
        rename(path + "-away", path)
        pwrite(file, whole, whole.count, 0)
        await Task.yield()
      }
    }
    for _ in 0..<Torture.rounds(20, long: 2000) { _ = await tiles.render(path, .full) }
    changing.cancel()
    await changing.value
    #expect(await tiles.render(path, .full).isImage)
  }

  private func content(of format: String) throws -> [UInt8] {
    let photo = URL(filePath: TestPhotos.path("coffee.jpg"))
    if format == "jpg" { return [UInt8](try Data(contentsOf: photo)) }
    try HostilePhotos.write(to: folder, photos: [])
    let name = format == "png" ? "shows-png.gif" : "shows-bmp.jpg"
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }
}

/// Renders images as large as a row's.
@MainActor
private final class Tiles {
  private let queue: RenditionQueue
  private var number: UInt32 = 0

  /// - Parameter cache: The folder that replaces the user's thumbnails.
  init(cache: String) throws {
    queue = RenditionQueue(workerPath: try ImageFolder.workerPath(cache: cache), workerCount: 2)
  }

  func render(_ path: String, _ stage: RenditionStage) async -> ImageAnswer.Content {
    number += 1
    let request = ImageRequest.show(
      FilePath(path), 24, 9, cell: (10, 20), .symbols(.truecolor, .blocks), stage, number: number)
    return await queue.render(request).content
  }

  /// Whether the kernel limits the workers of this process to 1 GB.
  func workersAreConfined() -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let limits = processes.filter { $0.allSatisfy(\.isNumber) }.compactMap { process -> String? in
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        stat.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(getpid())"
      else { return nil }
      return try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    }
    return !limits.isEmpty && limits.allSatisfy { $0.contains(#/Max address space +1073741824 +1073741824/#) }
  }
}

extension ImageAnswer.Content {
  fileprivate var isImage: Bool {
    switch self {
    case .cells, .graphic: true
    case .noPreview, .appraisal, .exported, .listing, .transfer, .failure: false
    }
  }

  fileprivate var failure: ImageFault? { if case .failure(let fault) = self { fault } else { nil } }
}

/// Returns the most memory that this process ever had, in KB.
func residentMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
