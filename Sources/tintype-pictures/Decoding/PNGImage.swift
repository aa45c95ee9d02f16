import CSpng
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A small PNG with its texts, such as a thumbnail (PNG, third edition). libspng reads and writes it.
final class PNGImage {
  let size: PixelSize
  /// The texts by their keywords.
  let texts: [String: String]
  private let context: OpaquePointer
  private let file: UnsafeMutablePointer<FILE>

  /// The largest file that is read, in bytes, and the longest side of an image, in pixels. No thumbnail is larger.
  private static let longestFile = 8 << 20
  private static let longestSide: UInt32 = 2048

  /// Reads the header and the texts of a PNG at a place in an open file. Returns nil if it is no PNG, or is damaged.
  init?(descriptor: Int32, at place: Int = 0) {
    guard let file = fdopen(dup(descriptor), "r") else { return nil }
    fseek(file, place, SEEK_SET)
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longestFile,
      let context = spng_ctx_new(0)
    else {
      fclose(file)
      return nil
    }
    self.context = context
    self.file = file
    spng_set_image_limits(context, Self.longestSide, Self.longestSide)
    spng_set_chunk_limits(context, Self.longestFile, Self.longestFile)
    var header = spng_ihdr()
    let isReadable = spng_set_png_file(context, file) == 0 && spng_get_ihdr(context, &header) == 0
    size = PixelSize(Int(header.width), Int(header.height))
    texts = isReadable ? Self.texts(of: context) : [:]
    guard isReadable else { return nil }
  }

  deinit {
    spng_ctx_free(context)
    fclose(file)
  }

  /// Decodes the pixels, for which a file can be used once. Returns nil if it is damaged.
  ///
  /// - Parameter background: The color under transparent parts, 0xRRGGBB.
  func pixels(background: UInt32) -> Pixels? {
    let pixels = transparentPixels()
    pixels?.flatten(on: background)
    return pixels
  }

  /// Decodes the pixels with their alpha, for which a file can be used once. Returns nil if it is damaged.
  func transparentPixels() -> Pixels? {
    let pixels = Pixels(size)
    guard
      spng_decode_image(
        context, pixels.words.baseAddress, pixels.words.count * 4, Int32(SPNG_FMT_RGBA8.rawValue),
        Int32(SPNG_DECODE_TRNS.rawValue)) == 0
    else { return nil }
    return pixels
  }

  private static func texts(of context: OpaquePointer) -> [String: String] {
    var count: UInt32 = 0
    guard spng_get_text(context, nil, &count) == 0 else { return [:] }
    var texts = [spng_text](repeating: spng_text(), count: Int(count))
    guard spng_get_text(context, &texts, &count) == 0 else { return [:] }
    var found: [String: String] = [:]
    for text in texts.prefix(Int(count)) {
      let keyword = withUnsafeBytes(of: text.keyword) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      found[keyword] = text.text.map { String(cString: $0) }
    }
    return found
  }

  /// Encodes pixels as a file that is there soon. Returns nil if memory is short.
  static func encode(_ pixels: Pixels, texts: [(String, String)]) -> [UInt8]? {
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { return nil }
    defer { spng_ctx_free(context) }
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
    spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1)
    // Z_RLE (zlib) compresses photos nearly as well as the default strategy, in half the time.
    spng_set_option(context, SPNG_IMG_COMPRESSION_STRATEGY, 3)
    spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_FILTER_CHOICE_UP.rawValue))
    var header = spng_ihdr(
      width: UInt32(pixels.size.width), height: UInt32(pixels.size.height), bit_depth: 8,
      color_type: UInt8(SPNG_COLOR_TYPE_TRUECOLOR.rawValue), compression_method: 0, filter_method: 0,
      interlace_method: 0)
    var chunks = texts.map { keyword, text -> spng_text in
      var chunk = spng_text()
      withUnsafeMutableBytes(of: &chunk.keyword) { $0.copyBytes(from: keyword.utf8.prefix(79)) }
      chunk.type = Int32(SPNG_TEXT.rawValue)
      chunk.text = strdup(text)
      chunk.length = strlen(chunk.text)
      return chunk
    }
    defer { for chunk in chunks { free(chunk.text) } }
    let bytes = pixels.rgb()
    guard spng_set_ihdr(context, &header) == 0, spng_set_text(context, &chunks, UInt32(chunks.count)) == 0,
      spng_encode_image(
        context, bytes, bytes.count, Int32(SPNG_FMT_PNG.rawValue), Int32(SPNG_ENCODE_FINALIZE.rawValue)) == 0
    else { return nil }
    var (count, failure): (Int, Int32) = (0, 0)
    guard let file = spng_get_png_buffer(context, &count, &failure) else { return nil }
    defer { free(file) }
    return Array(UnsafeRawBufferPointer(start: file, count: count))
  }
}
