import CJPEG
import FoundationEssentials

/// Encodes images as iTerm2's inline images (iTerm2, "Images"): a JPEG in base64, in a control sequence.
enum ITermEncoder {
  /// Returns the control sequence, or nothing if memory is short. The terminal scales the image to the layout.
  ///
  /// - Parameter quality: The JPEG's quality, from 0 to 100.
  static func encode(_ pixels: Pixels, _ layout: Layout, quality: Int) -> [UInt8] {
    let size = pixels.size
    var count = 0
    guard
      let jpeg = cjpeg_encode(pixels.words.baseAddress, Int32(size.width), Int32(size.height), Int32(quality), &count)
    else { return [] }
    let data = Data(bytesNoCopy: jpeg, count: count, deallocator: .free)
    let head =
      "\u{1B}]1337;File=inline=1;size=\(count);width=\(layout.pixels.width)px;height=\(layout.pixels.height)px;"
      + "preserveAspectRatio=\(size == layout.pixels ? 1 : 0);doNotMoveCursor=1:"
    return Array(head.utf8) + data.base64EncodedData() + [0x07]
  }
}
