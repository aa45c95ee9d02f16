import Gallery

/// The rules for recognizing photos and sidecars by their file names.
///
/// The suffix is only a hint. The content decides, and it is checked when the photo is read.
public enum PhotoName {
  /// Returns whether the name has the suffix of an image format.
  public static func isPhoto(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedSuffixes.contains) ?? false
  }

  /// Returns whether the name says nothing about the file's kind: it has no suffix, or one that neither images nor other
  /// common files have. Only the file's first bytes show whether it is an image.
  public static func saysNothing(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map { !packedSuffixes.contains($0) && !packedOtherSuffixes.contains($0) } ?? true
  }

  /// Returns whether the name says nothing about the file's kind.
  public static func saysNothing(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(saysNothing) }

  /// Returns whether the name has the suffix of a camera's raw format.
  static func isRaw(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedRawSuffixes.contains) ?? false
  }

  /// Returns whether the name has the suffix of an image format that can't be shown.
  static func isUnsupported(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedUnsupportedSuffixes.contains) ?? false
  }

  /// Returns whether the name has the suffix of a video.
  static func isVideo(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name).map(packedVideoSuffixes.contains) ?? false
  }

  /// Returns a path or a name without its suffix.
  public static func stem(_ path: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    path[..<(path.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex)]
  }

  /// Returns a path without its suffix.
  public static func stem(_ path: FilePath) -> FilePath {
    path.bytes.withUnsafeBufferPointer { FilePath(Array(stem($0))) }
  }

  /// Returns whether the name is that of an XMP sidecar.
  public static func isSidecar(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    packedSuffix(of: name) == packed("xmp")
  }

  /// Returns whether the name has the suffix of an image format.
  public static func isPhoto(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(isPhoto) }

  /// Returns whether the name is that of an XMP sidecar.
  public static func isSidecar(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBufferPointer(isSidecar) }

  /// Returns the names that programs give to a photo's sidecar, the more specific first: `a.jpg.xmp`, then `a.xmp`.
  public static func sidecars(of name: [UInt8]) -> [[UInt8]] {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return [name, Array(stem)].flatMap { [$0 + Array(".xmp".utf8), $0 + Array(".XMP".utf8)] }
  }

  /// The suffixes of all formats, in lowercase and with up to four letters.
  public static let suffixes = Set(ImageFormat.allCases.flatMap(\.suffixes))

  private static let rawSuffixes = Set(ImageFormat.allCases.filter(\.isRaw).flatMap(\.suffixes))

  private static let videoSuffixes = Set(ImageFormat.allCases.filter(\.isVideo).flatMap(\.suffixes))

  /// The suffixes of common files that are no images, in lowercase. Such a file is not opened to see what it is.
  private static let otherSuffixes = """
    txt md rst tex log csv tsv json xml yaml yml toml ini cfg conf plist desktop
    html htm css js mjs ts tsx jsx vue php rb py pyc pl sh bash zsh fish c h cc cpp cxx hh hpp m mm swift rs go java class
    kt cs hs lua r sql diff patch po mo pot in am ac cmake mk
    pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi djvu ps eps pages key numbers ics vcf eml
    zip gz tgz bz2 xz zst lz4 7z rar tar deb rpm iso dmg jar apk whl torrent
    mp3 m4a aac flac ogg oga opus wav wma aif aiff mid m3u m3u8 srt vtt
    ts lrv
    o a so d dll exe lib wasm swp lock db sqlite sqlite3 ttf otf woff woff2 icc icm gpx kml
    xmp aae thm pp3 dop on1 cos lrcat lrprev lrdata ithmb
    """
    .split(whereSeparator: \.isWhitespace).map(String.init)

  private static let packedSuffixes = Set(suffixes.map(packed))
  private static let packedRawSuffixes = Set(rawSuffixes.map(packed))
  private static let packedUnsupportedSuffixes = Set(
    ImageFormat.allCases.filter { !$0.isSupported }.flatMap(\.suffixes).map(packed))
  private static let packedVideoSuffixes = Set(videoSuffixes.map(packed))
  private static let packedOtherSuffixes = Set(otherSuffixes.map(packed))

  /// The number of letters of the longest suffix that is recognized.
  private static let longest = 8

  /// Returns the letters of a suffix in one number, which is compared faster than a text.
  private static func packed(_ suffix: String) -> UInt64 {
    suffix.utf8.prefix(longest).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the packed suffix of a name in lowercase, or nil if there is none of up to eight letters.
  private static func packedSuffix(of name: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var suffix: UInt64 = 0
    for index in name.indices.suffix(longest + 1).reversed() {
      let byte = name[index]
      if byte == UInt8(ascii: ".") { return index > 0 ? suffix : nil }
      let lowercased = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      // The dot must be behind the letters, so a ninth one makes no suffix.
      guard name.count - 1 - index < longest else { return nil }
      suffix |= UInt64(lowercased) << UInt64(8 * (name.count - 1 - index))
    }
    return nil
  }
}
