#if Pictures
  import CJPEG
  import FoundationEssentials

  /// Encodes images as iTerm2's inline images (iTerm2, "Images"): a JPEG in base64, in a control sequence.
  enum ITermEncoder {
    private static let quality: Int32 = 90

    /// Returns the control sequence, or nothing if memory is short.
    static func encode(_ pixels: Pixels) -> [UInt8] {
      let size = pixels.size
      var count = 0
      guard
        let jpeg = cjpeg_encode(pixels.words.baseAddress, Int32(size.width), Int32(size.height), quality, &count)
      else { return [] }
      let data = Data(bytesNoCopy: jpeg, count: count, deallocator: .free)
      let head =
        "\u{1B}]1337;File=inline=1;size=\(count);width=\(size.width)px;height=\(size.height)px;"
        + "preserveAspectRatio=1;doNotMoveCursor=1:"
      return Array(head.utf8) + data.base64EncodedData() + [0x07]
    }
  }
#endif
