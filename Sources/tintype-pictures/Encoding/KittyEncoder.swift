import FoundationEssentials
import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Encodes images for the kitty graphics protocol (kitty, "Terminal graphics protocol").
///
/// The pixels have 24 bits. They are written to a file that the terminal reads and deletes, or sent as a PNG in escape
/// sequences of 4,096 bytes.
final class KittyEncoder {
  /// The number of the request, under which the terminal stores the image.
  var id: UInt32 = 0
  /// The open file of the request (``TerminalFiles``); nil if there is none, or it has been used.
  var file: Int32?
  private static let longestChunk = 4096

  /// Returns the bytes for the terminal and the file that they name. The bytes are empty if memory is short, and the file
  /// is empty if there is none.
  func encode(
    _ pixels: Pixels, _ layout: Layout, _ transfer: KittyTransfer, _ reduction: Reduction, _ budget: RenditionBudget?,
    threads: Int
  ) -> (bytes: [UInt8], file: String) {
    let action = transfer.hasPlaceholders ? "a=T,U=1,c=\(layout.columns),r=\(layout.rows)" : "a=t"
    if transfer.isLocal, store(pixels) {
      let path = TerminalFiles.path(id, decoderID: getpid())
      let name = Data(path.utf8).base64EncodedString()
      let keys = "q=2,f=24,i=\(id),s=\(pixels.size.width),v=\(pixels.size.height),\(action),t=t"
      return (sequence(keys, Array(name.utf8)[...], transfer), path)
    }
    let png =
      if let budget {
        SmallPNG.encode(pixels, colors: reduction.colors, throughput: budget.throughput)
      } else {
        QuickPNG.encode(pixels, threads: threads)
      }
    guard let png else { return ([], "") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(png.count / 3 * 4 + png.count / 128)
    // In base64, three bytes become four.
    let chunk = Self.longestChunk / 4 * 3
    for start in stride(from: 0, to: png.count, by: chunk) {
      let end = min(start + chunk, png.count)
      let keys = start == 0 ? "q=2,f=100,i=\(id),\(action)" : "q=2"
      let text = [UInt8](Data(png[start..<end]).base64EncodedData())
      bytes += sequence("\(keys),m=\(end < png.count ? 1 : 0)", text[...], transfer)
    }
    return (bytes, "")
  }

  private func sequence(_ keys: String, _ payload: ArraySlice<UInt8>, _ transfer: KittyTransfer) -> [UInt8] {
    let escape = transfer.isPassedThrough ? PassthroughEnvelope.escape : "\u{1B}"
    let head = transfer.isPassedThrough ? PassthroughEnvelope.head : ""
    let tail = transfer.isPassedThrough ? PassthroughEnvelope.tail : ""
    return Array("\(head)\(escape)_G\(keys);".utf8) + payload + Array("\(escape)\\\(tail)".utf8)
  }

  /// Writes the pixels to the request's file, and returns whether all of them are in it.
  private func store(_ pixels: Pixels) -> Bool {
    guard let descriptor = file else { return false }
    file = nil
    let rgb = pixels.rgb()
    if write(descriptor, rgb, rgb.count) == rgb.count { return true }
    // The opener deletes an empty file.
    ftruncate(descriptor, 0)
    return false
  }
}
