import ArgumentParser
import Gallery
import Photos

/// The choices of an export (``ExportPreset/fields``).
struct ExportOptions: ParsableArguments {
  @Option(
    help: "The format: jpeg, png, webp, avif or jxl. (default: jpeg)",
    completion: .list(ExportSpecification.Format.allCases.map(\.name)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "The longer side in pixels. Smaller photos keep their size. (default: that of the photo)", valueName: "pixels"))
  var longEdge: String?

  @Option(
    help: ArgumentHelp("The width and height in pixels. What is left over is cut off.", valueName: "width×height"))
  var box: String?

  @Option(help: ArgumentHelp("The quality, from 1 to 100, of all formats but PNG.", valueName: "number"))
  var quality: String?

  @Option(
    help: ArgumentHelp("The most kB of a file, which has the best quality with that size.", valueName: "kilobytes"))
  var limit: String?

  @Option(
    help: "How much to sharpen: none, low, standard or high. (default: standard)",
    completion: .list(ExportSpecification.Sharpening.allCases.map(\.name)))
  var sharpen: String?

  @Option(
    help: "Convert colors to srgb, or keep them and their profile. (default: srgb)",
    completion: .list(["srgb", "keep"]))
  var color: String?

  @Option(
    help: "Metadata: all, no-place, copyright or none. (default: no-place)",
    completion: .list(ExportSpecification.Metadata.allCases.map(\.name)))
  var metadata: String?

  @Option(help: ArgumentHelp("A line of text for the lower right corner.", valueName: "text"))
  var watermark: String?

  @Option(help: ArgumentHelp("The names of the new files, without the suffix. (default: {name})", valueName: "pattern"))
  var name: String?

  /// Returns a preset with these choices in place of its own.
  /// - Throws: `ValidationError` for a choice that is invalid.
  func preset(_ saved: ExportPreset) throws -> ExportPreset {
    if longEdge != nil, box != nil { throw ValidationError("--long-edge and --box can't be combined.") }
    if quality != nil, limit != nil { throw ValidationError("--quality and --limit can't be combined.") }
    var preset = saved
    do throws(ExportPreset.Fault) {
      for (name, value) in values {
        guard let value else { continue }
        do throws(ExportPreset.Fault) {
          try preset.set(name, to: value)
        } catch { throw ExportPreset.Fault(reason: "--\(name) \(value.printable): \(error.reason)") }
      }
      try preset.check()
    } catch { throw ValidationError(error.reason) }
    return preset
  }

  private var values: [(String, String?)] {
    [
      ("format", format), ("long-edge", longEdge), ("box", box), ("quality", quality), ("limit", limit),
      ("sharpen", sharpen), ("color", color), ("metadata", metadata), ("watermark", watermark), ("name", name),
    ]
  }
}
