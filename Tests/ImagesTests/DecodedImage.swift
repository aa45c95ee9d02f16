import Foundation
import Gallery
import ImageWire

@testable import Images

/// A folder for a test's files, and a worker that decodes them pixel by pixel.
@MainActor
final class ImageFolder {
  let path = FilePath(FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  /// A link to the worker in this folder, by which the processes of this test can be told from those of other tests.
  let workerPath: String
  lazy var queue = RenditionQueue(workerPath: workerPath, workerCount: 1)
  private var number: UInt32 = 0

  init() throws {
    try FileManager.default.createDirectory(atPath: path.printable, withIntermediateDirectories: true)
    workerPath = path.printable + "/worker"
    _ = try link(to: ImageLoaderTests.workerPath, as: "worker")
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: path.printable) }

  /// Makes a link to an executable, and returns its path.
  func link(to executable: String, as name: String) throws -> String {
    let link = "\(path.printable)/\(name)"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: executable)
    return link
  }

  func write(_ bytes: some Collection<UInt8>, as name: String = "image") throws -> FilePath {
    let file = path.appending(name.utf8)
    try Data(bytes).write(to: URL(filePath: file.printable))
    return file
  }

  /// Writes a shell script that can be executed at once.
  ///
  /// A child process writes it. If this process did, a process that another test starts at that moment would inherit the open
  /// descriptor for an instant, and the kernel would refuse to execute the script (ETXTBSY).
  func writeScript(_ text: String, as name: String) throws -> FilePath {
    let file = path.appending(name.utf8)
    try Self.writeScript(text, to: file.printable)
    return file
  }

  /// Returns the path of a worker that keeps its thumbnails in a folder, which is made.
  static func workerPath(cache: String) throws -> String {
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    let path = cache + "/worker"
    try writeScript("XDG_CACHE_HOME='\(cache)' exec '\(ImageLoaderTests.workerPath)' \"$@\"", to: path)
    return path
  }

  /// The shell that writes a script ended with a status, or by a signal.
  private struct ScriptFailure: Error {
    let reason: Process.TerminationReason
    let status: Int32
  }

  private static func writeScript(_ text: String, to path: String) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    let command = #"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 700 "$1""#
    shell.arguments = ["-c", command, "sh", path, text]
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else {
      throw ScriptFailure(reason: shell.terminationReason, status: shell.terminationStatus)
    }
  }

  /// Renders a file as pixels. If all of the image is shown, each of its pixels is one of the rendition's.
  func answer(
    _ file: FilePath, rotation: ImageRotation = .upright, view: ImageView = .whole, frame: Int = 0,
    columns: Int = 1000, rows: Int? = nil, stage: RenditionStage = .once
  ) async -> ImageAnswer {
    let format = OutputFormat.kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false))
    return await answer(
      .show(
        file, columns, rows ?? columns, cell: (1, 1), format,
        as: ImagePresentation(view: view, rotation: rotation, frame: frame),
        stage))
  }

  /// Has a job done with a file.
  func answer(_ file: FilePath, _ job: ImageRequest.Job) async -> ImageAnswer {
    await answer(ImageRequest(number: 0, path: file, job: job))
  }

  func answer(_ request: ImageRequest) async -> ImageAnswer {
    number += 1
    var request = request
    request.number = number
    return await queue.render(request)
  }

  func image(_ bytes: some Collection<UInt8>, view: ImageView = .whole) async throws -> DecodedImage {
    try DecodedImage(await answer(write(bytes), view: view))
  }

  /// Returns the processes that this one has started with the worker at a path. Their openers are not among them.
  nonisolated static func processes(running workerPath: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      guard line.split(separator: 0).first?.elementsEqual(workerPath.utf8) == true else { return false }
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status?.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(getpid())"
    }
  }
}

/// The pixels of an answer, and its information on the image.
struct DecodedImage {
  struct None: Error { let content: String }

  let pixels: Image
  let info: ImageInfo

  init(_ answer: ImageAnswer) throws {
    guard case .graphic(let graphic) = answer.content else { throw None(content: "\(answer.content)") }
    pixels = Image(try KittyDecoder.pixels(of: try KittyDecoder.commands(in: graphic.bytes, isPassedThrough: false)))
    info = answer.info
  }

  /// The color of a pixel, 0xRRGGBB.
  subscript(x: Int, y: Int) -> Int {
    (0..<3).reduce(0) { $0 << 8 | Int(pixels.rgb[(y * pixels.width + x) * 3 + $1]) }
  }

  /// The colors of all pixels, row by row, 0xRRGGBB.
  var rows: [[Int]] { (0..<pixels.height).map { y in (0..<pixels.width).map { self[$0, y] } } }
}

/// Waits until a condition is true, and returns whether that happens within a minute.
@MainActor
func eventually(_ isTrue: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !isTrue() {
    guard ContinuousClock.now < end else { return false }
    await Task.yield()
  }
  return true
}

extension ImageRequest {
  /// Returns a request to show an image in a box of cells.
  static func show(
    _ path: FilePath, _ columns: Int, _ rows: Int, cell: (width: Int, height: Int), _ format: OutputFormat,
    as presentation: ImagePresentation = ImagePresentation(), background: UInt32 = 0, palette: [UInt32] = [],
    _ stage: RenditionStage = .once, budget: RenditionBudget? = nil, number: UInt32 = 1
  ) -> ImageRequest {
    let screen = RenditionScreen(
      format: format, cellWidth: cell.width, cellHeight: cell.height, background: background, palette: palette)
    let specification = RenditionSpecification(
      .file(path), columns: columns, rows: rows, as: presentation, on: screen)
    return ImageRequest(
      number: number, path: path, job: .show(RenditionRequest(specification, stage, budget: budget)))
  }
}
