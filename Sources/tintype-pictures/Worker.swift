import CConfinement
import ImageWire
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The image worker, which makes renditions for the gallery. With `--background`, they have a lower priority. With `--export`,
/// the worker may have more memory, too. With `--regions N`, it keeps up to N megapixels of decoded surroundings.
///
/// It is a separate process because a decoder that reads a hostile or damaged file may use up all memory, never return, or
/// crash. Then only this process ends, and the gallery starts another one.
@main
enum Worker {
  static func main() {
    leave_gallery()
    switch CommandLine.arguments.dropFirst().first {
    case "--doctor": for line in report() { print(line) }
    #if DEBUG
      case "--attempts": Attempts.run(CommandLine.arguments.dropFirst(2))
    #endif
    case "--background":
      _ = nice(MetadataService.niceness)
      RenditionService.run()
    case "--export":
      _ = nice(MetadataService.niceness)
      RenditionService.run(memory: ExportRequest.mostMemory)
    case "--regions":
      let megapixels = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 0
      RenditionService.run(regionMegapixels: min(max(2, megapixels), 8))
    default: RenditionService.run()
    }
  }

  /// Returns the lines of `tintype doctor` about the worker.
  private static func report() -> [String] {
    // The libraries are loaded under the same limits as those of an image.
    ["confined    \(Limits.confineDecoder().summary)"] + Renderer().report()
  }
}
