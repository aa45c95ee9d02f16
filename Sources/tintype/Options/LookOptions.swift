import ArgumentParser
import Foundation
import Gallery
import HTTP
import ImageWire
import Images
import Resources
import Screens
import Store
import Terminal

/// The options on how things look, which every command takes.
struct LookOptions: ParsableArguments {
  @Option(name: .customLong("pictures"), help: "How images are shown. (default: auto)")
  var chosenImages: OutputChoice?

  @Option(name: .customLong("colors"), help: "How many colors are used. (default: auto)")
  var chosenColors: ColorChoice?

  @Option(name: .customLong("glyphs"), help: "Which characters images are drawn with. (default: auto)")
  var chosenGlyphs: GlyphChoice?

  /// The options of a command that does not read the configuration.
  var images: OutputChoice { chosenImages ?? .auto }
  var colors: ColorChoice { chosenColors ?? .auto }
  var glyphs: GlyphChoice { chosenGlyphs ?? .auto }
}

/// The user's choice of a color depth: one of the depths, or `auto` for the terminal's own.
struct ColorChoice: ExpressibleByArgument {
  private static let automatic = "auto"

  static let auto = ColorChoice(depth: nil)
  static let allValueStrings = [automatic] + ColorDepth.allCases.map(\.rawValue)
  static let defaultCompletionKind = CompletionKind.list(allValueStrings)

  /// The chosen depth; nil for the terminal's own.
  let depth: ColorDepth?

  var defaultValueDescription: String { depth?.rawValue ?? Self.automatic }
}

extension ColorChoice {
  init?(argument: String) {
    if argument == Self.automatic {
      self = .auto
    } else {
      guard let depth = ColorDepth(rawValue: argument) else { return nil }
      self.init(depth: depth)
    }
  }
}

extension OutputChoice: ExpressibleByArgument {
  /// Creates the loader for images; nil if no images are wanted, or if there is no worker that decodes them.
  /// - Parameters:
  ///   - megabytes: The memory for renditions, in units of 2^20 bytes.
  ///   - web: The cache through which images from the web are fetched.
  @MainActor
  func makeLoader(megabytes: Int, web: WebImageCache?) -> ImageLoader? {
    guard self != .none, let workerPath = Resources.imageWorker else { return nil }
    return ImageLoader(
      workerPath: workerPath,
      workerCount: ProcessInfo.processInfo.activeProcessorCount,
      budget: megabytes << 20,
      web: web,
      remote: XDGFolders.user.remoteImages.map { CacheFolder($0, budget: remoteBudget, isLasting: false) })
  }
}

/// The size of the images from other machines that are kept, in bytes.
private let remoteBudget = 512 << 20

extension RoomName: ExpressibleByArgument {}
extension GlyphChoice: ExpressibleByArgument {}
