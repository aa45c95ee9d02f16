import ArgumentParser
import Foundation
import Gallery
import ImageWire
import Images
import Printing
import Resources
import Screens
import Terminal
import WorkerPool

/// Prints images where the cursor is.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print images where the cursor is, or into a pipe.")

  @Argument(help: "Images.", completion: .file())
  var files: [FileArgument]

  @Option(
    help: ArgumentHelp(
      "The largest size, in cells. (default: the terminal's; 80x24 in a pipe)", valueName: "columnsxrows"))
  var size: CellBox?

  @OptionGroup var look: LookOptions

  func validate() throws {
    if look.images == .none { throw ValidationError("With --pictures none there is nothing to show.") }
  }

  func run() throws {
    Shell.run(Self.self) { try await Self.show(files, size: size, in: Surroundings(look: look)) }
  }

  /// Prints images.
  /// - Returns: The exit code: 1 if an image could not be shown.
  @MainActor
  static func show(_ files: [FileArgument], size: CellBox?, in surroundings: Surroundings) async throws -> Int32 {
    let queue = RenditionQueue(
      workerPath: Resources.executable("tintype-pictures"),
      workerCount: min(files.count, ProcessInfo.processInfo.activeProcessorCount))
    guard let format = surroundings.format else { return EXIT_SUCCESS }
    let box = size ?? surroundings.box
    let firstNumber = UInt32.random(in: 0x100...0xFF_0000)
    let requests = files.enumerated().map { index, file in
      RenditionRequest(
        number: firstNumber + UInt32(index), path: file.path, columns: box.columns, rows: box.rows,
        cellWidth: surroundings.cell.width, cellHeight: surroundings.cell.height, format: format,
        background: surroundings.background, palette: surroundings.palette, stage: .once)
    }
    let printer = ImagePrinter(format: format)
    // All are requested at once, and printed in their order.
    let answers = requests.map { request in Task.onMainActor { await queue.render(request) } }
    var code = EXIT_SUCCESS
    for (file, answer) in zip(files, answers) {
      let answer = await answer.value
      if case .failure(let fault) = answer.content {
        Shell.print("\(file.printable): \(fault.message)", to: .standardError)
        code = EXIT_FAILURE
      } else {
        try FileHandle.standardOutput.write(contentsOf: Data(printer.bytes(for: answer.content, id: answer.number)))
        if answer.info.isIncomplete {
          Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
        }
      }
    }
    return code
  }
}

/// The place where images are printed: a terminal with its capabilities, or a pipe.
@MainActor
struct Surroundings {
  /// The output format; nil if no images are wanted.
  let format: OutputFormat?
  /// A cell's size.
  let cell: CellSize
  /// The largest size of an image.
  let box: CellBox
  /// The terminal's capabilities; nil for a pipe.
  let capabilities: Capabilities?
  /// The terminal's kind; nil for a pipe, or if TERM is not known.
  let kind: TerminalKind?
  /// The number of colors to use.
  let depth: ColorDepth
  /// The color under transparent parts, 0xRRGGBB.
  let background: UInt32
  /// The terminal's colors, as in ``RenditionRequest/palette``.
  let palette: [UInt32]

  init(look: LookOptions, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let kind = try? TerminalKind(environment: environment, colors: look.colors.depth)
    let probe = try? TerminalProbe(environment: environment, asks: look.images != .none, depth: kind?.depth)
    self.kind = probe == nil ? nil : kind
    capabilities = probe?.capabilities
    cell = capabilities?.cellSize ?? .standard
    // The prompt needs a line, too.
    box =
      probe.map { CellBox(columns: $0.size.columns, rows: max(1, $0.size.rows - 1)) } ?? CellBox(columns: 80, rows: 24)
    depth = look.colors.depth ?? self.kind?.depth ?? .truecolor
    // A pipe may lead to any program, so black is assumed there.
    let assumed = self.kind.map { Theme(brightness: $0.brightness, depth: $0.depth).windowColor } ?? 0
    let capabilities = capabilities ?? .unknown
    background = capabilities.background ?? assumed
    palette = depth.colors(of: capabilities.palette)
    format = look.images.format(on: capabilities, depth: depth, charset: .current)
  }
}

/// A size in cells, as `80x24`.
struct CellBox: ExpressibleByArgument {
  let columns: Int
  let rows: Int

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  init?(argument: String) {
    let numbers = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1], (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
