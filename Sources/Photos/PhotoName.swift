/// The rules for recognizing photos and sidecars by their file names.
///
/// The suffix is only a hint. The content decides, and it is checked when the photo is read.
public enum PhotoName {
  /// Returns whether the name has the suffix of a supported image format.
  public static func isPhoto(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedSuffixes.contains) ?? false
  }

  /// Returns whether the name has the suffix of a camera's raw format.
  public static func isRaw(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedRawSuffixes.contains) ?? false
  }

  /// Returns whether the name has the suffix of a video that cameras write next to a photo.
  public static func isVideo(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedVideoSuffixes.contains) ?? false
  }

  /// Returns whether the name has the suffix of a video that cameras write next to a photo.
  public static func isVideo(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(isVideo) }

  /// Returns a path or a name without its suffix.
  public static func stem(_ path: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    path[..<(path.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex)]
  }

  /// Returns whether the name is that of an XMP sidecar.
  public static func isSidecar(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name) == packed("xmp")
  }

  /// Returns whether the name has the suffix of a supported image format.
  public static func isPhoto(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(isPhoto) }

  /// Returns whether the name is that of an XMP sidecar.
  public static func isSidecar(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(isSidecar) }

  /// Returns the names that programs give to a photo's sidecar, the more specific first: `a.jpg.xmp`, then `a.xmp`.
  public static func sidecars(of name: [UInt8]) -> [[UInt8]] {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return [name, Array(stem)].flatMap { [$0 + Array(".xmp".utf8), $0 + Array(".XMP".utf8)] }
  }

  /// The suffixes of the formats that the image workers support, in lowercase.
  public static let suffixes = rawSuffixes.union([
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "hif", "avif", "jxl", "svg",
    "ppm", "pgm", "pbm", "bmp",
  ])

  /// The suffixes of cameras' raw formats, in lowercase.
  private static let rawSuffixes: Set<String> = [
    "dng", "nef", "nrw", "arw", "cr2", "cr3", "orf", "rw2", "pef", "raf",
  ]

  private static let videoSuffixes = ["mov", "mp4"]

  private static let packedSuffixes = Set(suffixes.map(packed))
  private static let packedRawSuffixes = Set(rawSuffixes.map(packed))
  private static let packedVideoSuffixes = Set(videoSuffixes.map(packed))

  /// Returns the letters of a suffix in one number, which is compared faster than a text.
  private static func packed(_ suffix: String) -> UInt32 { suffix.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Returns the packed suffix of a name in lowercase, or nil if there is none of up to four letters.
  private static func packedSuffix(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var suffix: UInt32 = 0
    for index in name.indices.suffix(5).reversed() {
      let byte = name[index]
      if byte == UInt8(ascii: ".") { return index > 0 ? suffix : nil }
      let lowercased = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      suffix |= UInt32(lowercased) << UInt32(8 * (name.count - 1 - index))
    }
    return nil
  }
}
