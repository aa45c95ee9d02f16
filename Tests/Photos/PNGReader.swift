import CSpng

/// Decodes PNGs with libspng.
public enum PNGReader {
  /// Returns the pixels of a file as RGB, or nil if it is no intact PNG.
  public static func pixels(of file: [UInt8]) -> (width: Int, height: Int, rgb: [UInt8])? {
    guard let context = spng_ctx_new(0) else { return nil }
    defer { spng_ctx_free(context) }
    var (header, count) = (spng_ihdr(), 0)
    let format = Int32(SPNG_FMT_RGB8.rawValue)
    guard spng_set_png_buffer(context, file, file.count) == 0, spng_get_ihdr(context, &header) == 0,
      spng_decoded_image_size(context, format, &count) == 0
    else { return nil }
    var rgb = [UInt8](repeating: 0, count: count)
    guard spng_decode_image(context, &rgb, count, format, 0) == 0 else { return nil }
    return (Int(header.width), Int(header.height), rgb)
  }
}
