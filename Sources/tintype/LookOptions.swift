import ArgumentParser
import Foundation
import Gallery
import HTTP
import Images
import Resources
import Screens
import Terminal

/// How things look, which every command takes.
struct LookOptions: ParsableArguments {
  @Option(name: .customLong("pictures"), help: "How images are shown.")
  var images = OutputChoice.auto

  @Option(help: "How many colors are used.")
  var colors = ColorChoice.auto
}

/// How many colors are used, as the person says.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, truecolor
  case palette256 = "256"
  case palette16 = "16"
  case palette8 = "8"
  case mono

  /// nil for what the terminal has.
  var depth: ColorDepth? {
    switch self {
    case .auto: nil
    case .truecolor: .truecolor
    case .palette256: .palette256
    case .palette16: .palette16
    case .palette8: .palette8
    case .mono: .monochrome
    }
  }
}

extension OutputChoice: ExpressibleByArgument {
  /// - Parameters:
  ///   - megabytes: At most so many, of 2^20 bytes, of what was rendered are kept in memory.
  ///   - client: What fetches images from the web.
  ///   - servers: Those that the person has named.
  @MainActor
  func makeLoader(megabytes: Int, client: HTTPClient, servers: [NamedServer]) -> ImageLoader? {
    guard self != .none else { return nil }
    let folder = XDGFolders(environment: ProcessInfo.processInfo.environment).webImages
    return ImageLoader(
      workerPath: Resources.executable("tintype-pictures"),
      workerCount: ProcessInfo.processInfo.activeProcessorCount,
      budget: megabytes << 20,
      web: folder.map { WebImageCache(folder: $0, client: client, servers: servers) })
  }
}

extension RoomName: ExpressibleByArgument {}
