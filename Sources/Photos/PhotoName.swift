/// What a file's name says about it. Only its content is sure, and that is looked at when the photo is.
public enum PhotoName {
  public static func isPhoto(_ name: [UInt8]) -> Bool {
    suffix(of: name).map(suffixes.contains) ?? false
  }

  public static func isSidecar(_ name: [UInt8]) -> Bool {
    suffix(of: name) == "xmp"
  }

  /// The names that programs give a photo's sidecar, the more special first: `a.jpg.xmp`, `a.xmp`.
  public static func sidecars(of name: [UInt8]) -> [[UInt8]] {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return [name, Array(stem)].flatMap { [$0 + Array(".xmp".utf8), $0 + Array(".XMP".utf8)] }
  }

  private static func suffix(of name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 5 else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Of the formats that the image workers know.
  public static let suffixes: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "hif", "avif", "jxl", "svg",
    "ppm", "pgm", "pbm", "bmp", "dng", "nef", "nrw", "arw", "cr2", "cr3", "orf", "rw2", "pef", "raf",
  ]
}
