import Foundation
import ImageWire
import Images
import Screens
import Terminal

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
