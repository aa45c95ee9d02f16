#if Pictures
  import CChafa
  import FoundationEssentials
  import Gallery
  import Glibc

  /// The thumbnails that all programs of a desktop share (freedesktop.org, Thumbnail Managing Standard 0.8).
  struct ThumbnailCache {
    private let folder: String

    /// The sides of a thumbnail's box in pixels, and the folder for them.
    private static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
    /// What is written: enough for a pane of characters, and quick to read.
    private static let written = sizes[1]

    /// Opens the cache in the folder that the environment names; returns nil if it names none.
    init?(environment: [String: String]) {
      guard let folder = XDGFolders(environment: environment).thumbnails else { return nil }
      self.folder = folder
    }

    /// The smallest thumbnail whose longer side has `pixels` or more, else the largest there is, on a background
    /// (0xRRGGBB); nil if there is none that was made of this very file as it is now.
    func thumbnail(of file: ImageFile, pixels: Int, background: UInt32) -> Thumbnail? {
      guard let name = Self.name(of: file) else { return nil }
      let large = Self.sizes.filter { $0.1 >= pixels }
      for (size, _) in large + Self.sizes.filter({ $0.1 < pixels }).reversed() {
        let thumbnail = PNGImage(
          path: "\(folder)/\(size)/\(name.checksum).png",
          where: {
            $0["Thumb::MTime"] == String(file.modifiedAt / 1_000_000_000) && $0["Thumb::URI"] == name.uri
          }, background: background)
        if let thumbnail { return Thumbnail(thumbnail) }
      }
      return nil
    }

    /// Keeps `pixels`, no larger than ``box``, of an image of this size. What cannot be written is not kept; the next
    /// time tries again.
    func keep(_ pixels: Pixels, of file: ImageFile, _ size: PixelSize) {
      guard let name = Self.name(of: file), !file.path.bytes.starts(with: folder.utf8) else { return }
      let texts = [
        ("Thumb::URI", name.uri), ("Thumb::MTime", String(file.modifiedAt / 1_000_000_000)),
        ("Thumb::Size", String(file.size)),
        ("Thumb::Image::Width", String(size.width)), ("Thumb::Image::Height", String(size.height)),
        ("Software", "Tintype"),
      ]
      guard let png = PNGImage.encode(pixels, texts: texts) else { return }
      let folder = "\(folder)/\(Self.written.0)"
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // A name of its own, then the right one: whoever reads finds all of it or nothing.
      let temporary = "\(folder)/.\(name.checksum).\(getpid())"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      let isWritten = png.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == png.count
      close(descriptor)
      if !isWritten || rename(temporary, "\(folder)/\(name.checksum).png") != 0 { unlink(temporary) }
    }

    /// The side of the box that what is kept fits in, in pixels.
    static var box: Int { written.1 }

    private static func name(of file: ImageFile) -> (uri: String, checksum: String)? {
      guard let uri = file.path.withCString({ g_filename_to_uri($0, nil, nil) }) else { return nil }
      defer { g_free(uri) }
      guard let checksum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return nil }
      defer { g_free(checksum) }
      return (String(cString: uri), String(cString: checksum))
    }
  }

  struct Thumbnail {
    let pixels: Pixels
    /// Of the image that it was made of, upright; nil where the thumbnail does not say.
    let wholeSize: PixelSize?

    fileprivate init(_ png: PNGImage) {
      pixels = png.pixels
      let sides = ["Thumb::Image::Width", "Thumb::Image::Height"].compactMap { png.texts[$0].flatMap(Int.init) }
      guard sides.count == 2, sides.allSatisfy((1...1_000_000).contains) else {
        wholeSize = nil
        return
      }
      // Some programs give the sides as the file has them, before the image is turned.
      let size = PixelSize(sides[0], sides[1])
      let isTurned = (size.width > size.height) != (pixels.size.width > pixels.size.height)
      wholeSize = isTurned ? size.transposed : size
    }
  }
#endif
