/// The rules for recognizing photos and sidecars by their file names.
///
/// The suffix is only a hint. The content decides, and it is checked when the photo is read.
public enum PhotoName {
  /// Returns whether the name has the suffix of a supported image format.
  public static func isPhoto(_ name: [UInt8]) -> Bool {
    suffix(of: name).map(suffixes.contains) ?? false
  }

  /// Returns whether the name is that of an XMP sidecar.
  public static func isSidecar(_ name: [UInt8]) -> Bool {
    suffix(of: name) == "xmp"
  }

  /// Returns the names that programs give to a photo's sidecar, the more specific first: `a.jpg.xmp`, then `a.xmp`.
  public static func sidecars(of name: [UInt8]) -> [[UInt8]] {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return [name, Array(stem)].flatMap { [$0 + Array(".xmp".utf8), $0 + Array(".XMP".utf8)] }
  }

  private static func suffix(of name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 5 else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The suffixes of the formats that the image workers support, in lowercase.
  public static let suffixes: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "hif", "avif", "jxl", "svg",
    "ppm", "pgm", "pbm", "bmp", "dng", "nef", "nrw", "arw", "cr2", "cr3", "orf", "rw2", "pef", "raf",
  ]
}
