import Foundation
import ImageWire
import Images
import Printing
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
  /// The cells of the terminal in which the image is drawn; nil if it is printed.
  let place: Rect?
  /// The terminal's capabilities; nil for a pipe.
  let capabilities: Capabilities?
  /// The terminal's kind; nil for a pipe, or if TERM is not known.
  let kind: TerminalKind?
  /// The number of colors to use.
  let depth: ColorDepth
  /// The color under transparent parts, 0xRRGGBB.
  let background: UInt32
  /// The terminal's colors, as in ``RenditionScreen/palette``.
  let palette: [UInt32]
  /// Whether the output is fzf's preview window.
  private let isInFzf: Bool
  /// Whether the output is a terminal whose keys and answers are for this process.
  let readsTerminal: Bool
  /// Whether the images are previews in another program, which `--clear` removes.
  let isForPreviews: Bool
  /// The ids of the images of previews.
  let previewIDs: PreviewIDs

  /// - Parameters:
  ///   - target: The way in which images get to the terminal.
  ///   - asks: Whether the terminal is asked what it can show; nil to ask it if it is the output.
  init(
    look: LookOptions, target: ImageTarget = .output, asks: Bool? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let firstKind = try? TerminalKind(environment: environment, colors: look.colors.depth)
    let question = target.question(isTerminal: isTerminal, asks: asks, choice: look.images)
    let probe = try? TerminalProbe(
      environment: environment, question: question, isOutputElsewhere: !isTerminal,
      aboutColors: firstKind?.colorQuestion)
    let isKnown = probe != nil && (isTerminal || question != .nothing)
    capabilities = isKnown ? probe?.capabilities : nil
    kind = isKnown ? firstKind?.withTruecolor(capabilities?.truecolorSource) ?? firstKind : nil
    previewIDs = probe?.previewIDs ?? PreviewIDs(device: 0)
    cell = probe?.capabilities.cellSize ?? .standard
    depth = look.colors.depth ?? kind?.depth ?? .truecolor
    // A pipe may lead to any program, so black is assumed there.
    let assumed = kind.map { Theme(brightness: $0.brightness, depth: $0.depth).windowColor } ?? 0
    let capabilities = capabilities ?? .unknown
    background = capabilities.background ?? assumed
    palette = depth.colors(of: capabilities.palette)
    let best = target.format(
      look.images, on: capabilities, isTerminal: isTerminal, wasAsked: probe?.wasAsked ?? false, depth: depth)
    format = look.glyphs.applied(to: best, on: capabilities, usesCurses: false)
    readsTerminal = isTerminal && probe?.wasAsked == true
    isInFzf = !isTerminal && FzfWindow(environment: environment) != nil
    isForPreviews = target.isForPreviews || isInFzf
    place = target.place(on: probe?.size)
    box = target.box(in: isTerminal ? probe?.size : nil, screen: probe?.size, format, environment)
  }
}

extension Surroundings {
  /// The bytes that remove the images of previews, and what is in the place.
  var clearing: [UInt8] {
    guard let format else { return [] }
    return format.deletion(of: previewIDs) + (place.map { ImagePlace($0).clearing(format, ids: previewIDs) } ?? [])
  }

  /// Returns the printer of images in a format.
  func printer(_ format: OutputFormat) -> ImagePrinter { ImagePrinter(format: format, movesCursor: !isInFzf) }

  /// Returns consecutive ids, from a random one on, for images that are printed.
  func imageIDs(count: Int) -> [UInt32] { (0..<count).map(imageIDs()) }

  /// Returns a function of consecutive ids, from a random one on, for the frames of an animation: a file may claim to have any number.
  func imageIDs() -> (Int) -> UInt32 {
    let ids = isForPreviews ? previewIDs.all : 0x100...(PreviewIDs.reserved.lowerBound - 1)
    let start = Int.random(in: 0..<ids.count)
    return { ids.lowerBound + UInt32((start + $0) % ids.count) }
  }
}
