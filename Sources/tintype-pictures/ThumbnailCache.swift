#if Pictures
  import CVips
  import Foundation

  /// The thumbnails that all programs of a desktop share (freedesktop.org, Thumbnail Managing Standard 0.8).
  struct ThumbnailCache {
    private let folder: String

    /// The sides of a thumbnail's box in pixels, and the folder for them.
    private static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
    /// What is written: enough for a pane of characters, and quick to read.
    private static let written = sizes[1]

    /// In `$XDG_CACHE_HOME`, or `~/.cache`; nil where there is neither.
    init?(environment: [String: String]) {
      if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
        folder = cache + "/thumbnails"
      } else if let home = environment["HOME"], home.hasPrefix("/") {
        folder = home + "/.cache/thumbnails"
      } else {
        return nil
      }
    }

    /// The smallest thumbnail whose longer side has `pixels` or more, else the largest there is; nil if there is none
    /// that was made of this very file as it is now.
    func thumbnail(of file: PictureFile, pixels: Int) -> VipsPicture? {
      guard let name = Self.name(of: file) else { return nil }
      let large = Self.sizes.filter { $0.1 >= pixels }
      for (size, _) in large + Self.sizes.filter({ $0.1 < pixels }).reversed() {
        guard let picture = VipsPicture(cvips_open("\(folder)/\(size)/\(name.checksum).png")) else { continue }
        guard picture.text("png-comment", key: "Thumb::MTime") == String(file.modificationTime),
          picture.text("png-comment", key: "Thumb::URI") == name.uri
        else { continue }
        return picture
      }
      vips_error_clear()
      return nil
    }

    /// Keeps `picture`, which is no larger than ``box``. What cannot be written is not kept; the next time tries again.
    func keep(_ picture: VipsPicture, of file: PictureFile, width: Int, height: Int) {
      guard let name = Self.name(of: file), !file.path.hasPrefix(folder) else { return }
      let comments = [
        ("Thumb::URI", name.uri), ("Thumb::MTime", String(file.modificationTime)), ("Thumb::Size", String(file.size)),
        ("Thumb::Image::Width", String(width)), ("Thumb::Image::Height", String(height)), ("Software", "Tintype"),
      ]
      guard let png = picture.png(comments: comments) else { return }
      let folder = "\(folder)/\(Self.written.0)"
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // A name of its own, then the right one: whoever reads finds all of it or nothing.
      let temporary = "\(folder)/.\(name.checksum).\(getpid())"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return }
      let isWritten = png.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == png.count
      close(descriptor)
      if !isWritten || rename(temporary, "\(folder)/\(name.checksum).png") != 0 { unlink(temporary) }
    }

    /// The side of the box that what is kept fits in, in pixels.
    static var box: Int { written.1 }

    private static func name(of file: PictureFile) -> (uri: String, checksum: String)? {
      guard let uri = g_filename_to_uri(file.path, nil, nil) else { return nil }
      defer { g_free(uri) }
      guard let checksum = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return nil }
      defer { g_free(checksum) }
      return (String(cString: uri), String(cString: checksum))
    }
  }
#endif
