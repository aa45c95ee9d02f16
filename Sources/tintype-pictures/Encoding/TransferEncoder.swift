import CJPEG

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Encodes images for a gallery on another machine, which decodes them with its own worker.
enum TransferEncoder {
  /// The longer side of a preview in pixels, which takes about 8 kB.
  static let previewSide = 256

  /// Returns a file, or nil if memory is short.
  ///
  /// The scans of a progressive JPEG (ITU-T T.81, annex G) show all of the image at once and refine it while its bytes come: an
  /// eighth of them is recognizable, and half of them looks nearly like all.
  ///
  /// - Parameter quality: The JPEG's quality from 1 to 100, or 0 for a PNG, from which nothing is left out.
  static func encode(_ pixels: Pixels, quality: Int) -> [UInt8]? {
    if quality == 0 { return SmallPNG.encode(pixels, colors: nil, throughput: 0) }
    var count = 0
    let size = pixels.size
    guard
      let jpeg = cjpeg_encode_scans(
        pixels.words.baseAddress, Int32(size.width), Int32(size.height), Int32(quality), &count)
    else { return nil }
    defer { free(jpeg) }
    return [UInt8](UnsafeRawBufferPointer(start: jpeg, count: count))
  }
}
