import FoundationEssentials
import Gallery
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thumbnails that all programs of a desktop share (freedesktop.org, Thumbnail Managing Standard 0.9).
///
/// The opener uses the folder: it opens thumbnails for the decoder (``CachedThumbnails``), and encodes and stores those that
/// the decoder makes. So the file is a valid PNG in any case, since other programs will decode it without limits.
struct ThumbnailCache {
  let folder: String

  /// The folders of thumbnails, and the sides of the boxes that these fit in, in pixels.
  static let sizes = [("normal", 128), ("large", box), ("x-large", 512), ("xx-large", 1024)]
  /// The side of the box of the thumbnail that every large image gets. It is enough for a pane of characters, and quick to
  /// read.
  static let box = 256
  /// The sides of the boxes of the thumbnails that images get which are shown so large. There are limits on their number
  /// (``prune(to:)``).
  static let largeBoxes = [512, 1024]

  /// Opens the cache in the folder that the environment names; returns nil if it names none.
  init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard let folder = XDGFolders(environment: environment).thumbnails else { return nil }
    self.folder = folder
  }

  /// Returns the sides of the boxes of an image's thumbnails, the largest first: the one that would have been sharp enough in
  /// a layout, and the small one. Images that are not much larger are decoded nearly as fast as thumbnails.
  ///
  /// - Parameter size: The size of the image itself.
  static func boxes(for layout: Layout, of size: PixelSize) -> [Int] {
    guard !layout.isPart, !layout.isCut else { return [] }
    let large =
      layout.sharpSide > box ? largeBoxes.first { $0 >= layout.sharpSide } : nil
    return [large, box].compactMap(\.self).filter { size.longerSide > 2 * $0 }
  }

  /// Opens the thumbnails of a file, and returns a descriptor for each size, or nil if there is none of that size.
  func open(for path: FilePath) -> [Int32?] {
    guard let name = ThumbnailName(of: path) else { return [] }
    return Self.sizes.map { size, _ in
      let descriptor = openat(AT_FDCWD, "\(folder)/\(size)/\(name.file)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      return descriptor < 0 ? nil : descriptor
    }
  }

  /// Stores a thumbnail, whose longer side is that of a box. If it cannot be written, the next decoding of the file tries
  /// again.
  ///
  /// - Parameters:
  ///   - path: The path of the file that it shows.
  ///   - status: The status of that file before it was read.
  ///   - size: The size of the image in the file.
  /// - Returns: The number of bytes that were written.
  @discardableResult func store(_ thumbnail: Pixels, of path: FilePath, _ status: stat, _ size: PixelSize) -> Int {
    guard let name = ThumbnailName(of: path), !path.bytes.starts(with: folder.utf8),
      let (sizeFolder, _) = Self.sizes.first(where: { $0.1 == thumbnail.size.longerSide }),
      let png = PNGImage.encode(thumbnail, texts: Self.texts(name, status, size))
    else { return 0 }
    let folder = "\(folder)/\(sizeFolder)"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // The file is renamed when it is complete, so that other programs never read a part of it.
    let temporary = "\(folder)/.\(name.checksum).\(getpid())"
    let descriptor = openat(AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return 0 }
    let isWritten = png.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == png.count
    close(descriptor)
    guard isWritten, rename(temporary, "\(folder)/\(name.file)") == 0 else {
      unlink(temporary)
      return 0
    }
    return png.count
  }

  private static func texts(_ name: ThumbnailName, _ status: stat, _ size: PixelSize) -> [(String, String)] {
    // The program comes first, where pruning looks for it.
    [
      ("Software", software), ("Thumb::URI", name.uri), ("Thumb::MTime", String(status.st_mtim.tv_sec)),
      ("Thumb::Size", String(status.st_size)),
      ("Thumb::Image::Width", String(size.width)), ("Thumb::Image::Height", String(size.height)),
    ]
  }

  /// The name of this program in its thumbnails.
  static let software = "Tintype"
}

/// The name of the thumbnails of a file.
struct ThumbnailName {
  /// The file's address.
  let uri: String
  let checksum: String
  var file: String { checksum + ".png" }

  init?(of path: FilePath) {
    guard path.bytes.first == UInt8(ascii: "/") else { return nil }
    // The characters that GLib keeps, since all programs must find the same name.
    uri = "file://" + percentEncoded(path.bytes, keeping: "/!$&'()*+,:=@")
    checksum = MD5.checksum(of: Array(uri.utf8))
  }
}

/// The thumbnails of a file that were in the cache when the file was requested.
struct CachedThumbnails {
  /// The descriptors by the thumbnails' size, the smallest first.
  let descriptors: [Int32?]

  /// Returns the thumbnails that were made of this file in its current state, the smallest first.
  func all(of file: ImageFile) -> [Thumbnail] {
    guard descriptors.contains(where: { $0 != nil }), let name = ThumbnailName(of: file.path) else { return [] }
    return zip(ThumbnailCache.sizes, descriptors).compactMap { size, descriptor in
      guard let png = descriptor.flatMap({ PNGImage(descriptor: $0) }), png.texts["Thumb::URI"] == name.uri,
        png.texts["Thumb::MTime"] == String(file.modifiedAt / 1_000_000_000)
      else { return nil }
      return Thumbnail(png, box: size.1)
    }
  }
}

/// A thumbnail of an image, whose pixels have not been decoded.
struct Thumbnail {
  private let png: PNGImage
  /// The side of the box that it was made for.
  let box: Int
  /// The size of the image that it was made of, upright, or nil if the thumbnail does not say.
  let wholeSize: PixelSize?

  var longerSide: Int { png.size.longerSide }

  fileprivate init(_ png: PNGImage, box: Int) {
    self.png = png
    self.box = box
    let sides = ["Thumb::Image::Width", "Thumb::Image::Height"].compactMap { png.texts[$0].flatMap(Int.init) }
    guard sides.count == 2, sides.allSatisfy((1...1_000_000).contains) else {
      wholeSize = nil
      return
    }
    // Some programs give the sides of the image before it is rotated.
    let size = PixelSize(sides[0], sides[1])
    let isTurned = (size.width > size.height) != (png.size.width > png.size.height)
    wholeSize = isTurned ? size.transposed : size
  }

  /// Decodes the pixels, once. Returns nil if the file is damaged.
  ///
  /// - Parameter background: The color under transparent parts, 0xRRGGBB.
  func pixels(background: UInt32) -> Pixels? { png.pixels(background: background) }
}
