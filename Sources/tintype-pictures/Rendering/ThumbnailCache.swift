#if Pictures
  import CChafa
  import FoundationEssentials
  import Gallery
  import Glibc
  import Metadata

  /// The thumbnails that all programs of a desktop share (freedesktop.org, Thumbnail Managing Standard 0.8).
  ///
  /// The opener uses the folder: it opens thumbnails for the decoder (``CachedThumbnails``), and encodes and stores those that
  /// the decoder makes. So the file is a valid PNG in any case, since other programs will decode it without limits.
  struct ThumbnailCache {
    private let folder: String

    /// The folders of thumbnails, and the sides of the boxes that these fit in, in pixels.
    fileprivate static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
    /// The size that is written. It is enough for a pane of characters, and quick to read.
    private static let written = sizes[1]
    /// The side of the box that a stored thumbnail fits in, in pixels.
    static var box: Int { written.1 }

    /// Opens the cache in the folder that the environment names; returns nil if it names none.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
      guard let folder = XDGFolders(environment: environment).thumbnails else { return nil }
      self.folder = folder
    }

    /// Opens the thumbnails of a file, and returns a descriptor for each size, or nil if there is none of that size.
    func open(for path: FilePath) -> [Int32?] {
      guard let name = ThumbnailName(of: path) else { return [] }
      return Self.sizes.map { size, _ in
        let descriptor = Glibc.open("\(folder)/\(size)/\(name.file)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
      }
    }

    /// Stores a thumbnail that is no larger than ``box``. If it cannot be written, the next decoding of the file tries again.
    ///
    /// - Parameters:
    ///   - path: The path of the file that it shows.
    ///   - status: The status of that file before it was read.
    ///   - size: The size of the image in the file.
    func store(_ thumbnail: Pixels, of path: FilePath, _ status: stat, _ size: PixelSize) {
      guard let name = ThumbnailName(of: path), !path.bytes.starts(with: folder.utf8),
        let png = PNGImage.encode(thumbnail, texts: Self.texts(name, status, size))
      else { return }
      let folder = "\(folder)/\(Self.written.0)"
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // The file is renamed when it is complete, so that other programs never read a part of it.
      let temporary = "\(folder)/.\(name.checksum).\(getpid())"
      let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      let isWritten = png.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == png.count
      close(descriptor)
      if !isWritten || rename(temporary, "\(folder)/\(name.file)") != 0 { unlink(temporary) }
    }

    private static func texts(_ name: ThumbnailName, _ status: stat, _ size: PixelSize) -> [(String, String)] {
      [
        ("Thumb::URI", name.uri), ("Thumb::MTime", String(status.st_mtim.tv_sec)),
        ("Thumb::Size", String(status.st_size)),
        ("Thumb::Image::Width", String(size.width)), ("Thumb::Image::Height", String(size.height)),
        ("Software", "Tintype"),
      ]
    }
  }

  /// The name of the thumbnails of a file.
  private struct ThumbnailName {
    /// The file's address.
    let uri: String
    let checksum: String
    var file: String { checksum + ".png" }

    init?(of path: FilePath) {
      guard let uri = path.withCString({ g_filename_to_uri($0, nil, nil) }) else { return nil }
      defer { g_free(uri) }
      guard let checksum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return nil }
      defer { g_free(checksum) }
      (self.uri, self.checksum) = (String(cString: uri), String(cString: checksum))
    }
  }

  /// The thumbnails of a file that were in the cache when the file was requested.
  struct CachedThumbnails {
    /// The descriptors by the thumbnails' size, the smallest first.
    let descriptors: [Int32?]

    /// Returns the smallest thumbnail whose longer side has at least `pixels`, or else the largest one. Returns nil if none
    /// was made of this file in its current state.
    ///
    /// - Parameter background: The color under transparent parts, 0xRRGGBB.
    func thumbnail(of file: ImageFile, pixels: Int, background: UInt32) -> Thumbnail? {
      let all = zip(ThumbnailCache.sizes.map(\.1), descriptors)
      let large = all.filter { $0.0 >= pixels }
      guard let name = ThumbnailName(of: file.path) else { return nil }
      for case (_, let descriptor?) in large + all.filter({ $0.0 < pixels }).reversed() {
        let thumbnail = PNGImage(
          descriptor: descriptor,
          where: {
            $0["Thumb::MTime"] == String(file.modifiedAt / 1_000_000_000) && $0["Thumb::URI"] == name.uri
          }, background: background)
        if let thumbnail { return Thumbnail(thumbnail) }
      }
      return nil
    }
  }

  /// A thumbnail of an image.
  struct Thumbnail {
    let pixels: Pixels
    /// The size of the image that it was made of, upright, or nil if the thumbnail does not say.
    let wholeSize: PixelSize?

    fileprivate init(_ png: PNGImage) {
      pixels = png.pixels
      let sides = ["Thumb::Image::Width", "Thumb::Image::Height"].compactMap { png.texts[$0].flatMap(Int.init) }
      guard sides.count == 2, sides.allSatisfy((1...1_000_000).contains) else {
        wholeSize = nil
        return
      }
      // Some programs give the sides of the image before it is rotated.
      let size = PixelSize(sides[0], sides[1])
      let isTurned = (size.width > size.height) != (pixels.size.width > pixels.size.height)
      wholeSize = isTurned ? size.transposed : size
    }
  }
#endif
