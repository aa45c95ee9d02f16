/// A reason why an image cannot be shown. The words for it are in `ErrorMessages.swift`.
public enum ImageFault: Error, Hashable, Sendable {
  /// There is no file.
  case missing
  /// The file cannot be read. `reason` is the system's.
  case unreadable(reason: String)
  /// The path leads to a folder, a device or another thing that is not a regular file.
  case notAFile
  /// The file is empty, such as one that is about to be copied.
  case empty
  /// The file is no image, or an image in a format that is not supported.
  case unknownFormat
  /// There is no decoder for the format: no program library reads it, or the library is not installed.
  case unsupported(ImageFormat)
  /// The image has more pixels than are decoded.
  case tooLarge(width: Int, height: Int)
  /// The file ends before anything of its image can be decoded.
  case incomplete
  /// The image cannot be decoded.
  case damaged(Damage)
  /// A raw file has no preview, and its data can't be developed.
  case noPreview
  /// The decoded image cannot be encoded for the terminal.
  case unencodable
  /// The image worker cannot be started. `reason` is the system's.
  case noWorker(reason: String)
  /// The worker used more processor time than an image may.
  case timedOut
  /// The worker did not answer in time.
  case unresponsive
  /// The worker crashed.
  case crashed
  /// The worker's answer is invalid.
  case invalidAnswer
  /// The archive in which the image is, or its entry there, cannot be read.
  case archive(ArchiveFault)
  /// There is no folder for images from the web.
  case noCache
  /// The image could be decoded, but no file be made of it.
  case notExported(Obstacle)
}

extension ImageFault {
  /// A reason why an image cannot be decoded.
  public enum Damage: Hashable, Sendable {
    /// A library reports an error, in its own words.
    case library(reason: String)
    /// A library fails without a reason.
    case unknown
    /// The image needs more memory than the decoder may use.
    case memory
    /// libvips is not installed.
    case noLibvips
    /// The library that decodes videos cannot be loaded.
    case noVideoLibrary
    /// The library that develops raw files cannot be loaded.
    case noRawLibrary
    /// The header of the file is invalid.
    case header
    /// The file has a coding that is not supported, by its name in the format.
    case coding(String)
    /// A bitmap has a coding that is not supported.
    case bitmap(depth: Int, compression: Int)
    /// The decoder had to ignore too much of the file.
    case tooManyFaults
  }

  /// A reason why no file can be made of an image.
  public enum Obstacle: Hashable, Sendable {
    /// The library that encodes the format is not installed.
    case noEncoder(ExportSpecification.Format)
    /// At the lowest quality, the file has this many bytes, which are too many.
    case tooLarge(bytes: Int)
    /// The text of the watermark can't be drawn: there is no font for it.
    case noFont
    /// The file can't be written. `reason` is the system's.
    case unwritable(reason: String)
  }
}
