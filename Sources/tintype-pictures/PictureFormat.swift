import Foundation

/// Why a file gives no picture.
enum PictureFailure: Error, CustomStringConvertible {
  case missing
  case unreadable(reason: String)
  case notAFile
  case unknownFormat
  case tooLarge(Int, Int)
  case damaged(String)

  var description: String {
    switch self {
    case .missing: "The picture's file is not there"
    case .unreadable(let reason): "The picture's file cannot be read: \(reason)"
    case .notAFile: "This is not a regular file"
    case .unknownFormat: "This is no picture, or of a format not known here"
    case .tooLarge(let width, let height): "The picture claims \(width)×\(height) pixels, which is too large"
    case .damaged(let reason): "The picture is damaged: \(reason)"
    }
  }
}

/// A picture format, known by a file's first bytes; whatever the file is called.
enum PictureFormat: CaseIterable {
  case jpeg, png, gif, webp, tiff, heif, jxl, svg, ppm

  /// - Throws: ``PictureFailure`` where the file is none of these.
  init(ofFileAt path: String) throws(PictureFailure) {
    // A pipe or a device could keep the opening waiting; what it is is looked at before a byte is read.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    var head = [UInt8](repeating: 0, count: 512)
    let count = Foundation.read(descriptor, &head, head.count)
    guard let format = PictureFormat(head: head[..<max(0, count)]) else { throw .unknownFormat }
    self = format
  }

  /// Recognises a format by its signature, as its specification gives it.
  init?(head: ArraySlice<UInt8>) {
    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: signature)
    }
    func has(_ signature: String, at offset: Int = 0) -> Bool { has(Array(signature.utf8), at: offset) }

    if has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if has("ftyp", at: 4), ["heic", "heix", "mif1", "avif", "avis"].contains(where: { has($0, at: 8) }) {
      self = .heif
    } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jxl
    } else if has("P5") || has("P6") || has("P4") {
      self = .ppm
    } else if has("<svg") || (has("<?xml") && head.firstRange(of: Array("<svg".utf8)) != nil) {
      self = .svg
    } else {
      return nil
    }
  }

  /// libvips' loader for files of this format.
  var loader: String {
    switch self {
    case .jpeg: "VipsForeignLoadJpegFile"
    case .png: "VipsForeignLoadPngFile"
    case .gif: "VipsForeignLoadNsgifFile"
    case .webp: "VipsForeignLoadWebpFile"
    case .tiff: "VipsForeignLoadTiffFile"
    case .heif: "VipsForeignLoadHeifFile"
    case .jxl: "VipsForeignLoadJxlFile"
    case .svg: "VipsForeignLoadSvgFile"
    case .ppm: "VipsForeignLoadPpmFile"
    }
  }
}
