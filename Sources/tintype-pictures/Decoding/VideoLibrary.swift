import CVideoPlugin
import FoundationEssentials
import Gallery
import ImageWire
import Metadata

/// FFmpeg's libraries, which decode videos. They are loaded when they are first used.
final class VideoLibrary {
  /// The library's functions, or nil if it cannot be loaded.
  private lazy var plugin = Self.load()
  /// The video that was decoded last. While it plays, its next frame needs only that to be decoded.
  private var last: VideoImage?

  /// Each thread needs the memory of some frames.
  private static let mostThreads = 4

  /// Opens a video, the movie inside of a photo, or an animation, with its format's own demuxer, and no other.
  ///
  /// - Parameter isPlaying: Whether frames follow each other. Then several threads decode, which takes a frame or two more for the
  ///   first one.
  func open(
    _ file: ImageFile, _ rotation: ImageRotation = .upright, isPlaying: Bool = false
  ) throws(ImageFault) -> VideoImage {
    let threads = isPlaying ? min(ProcessInfo.processInfo.activeProcessorCount, Self.mostThreads) : 1
    if let last, last.isOf(file, rotation, threads: threads) { return last }
    guard let found = FoundVideo(in: file),
      let demuxer = file.format.isVideo || file.isSequence ? file.demuxer : ImageFormat.quickTime.demuxer
    else { throw .unsupported(file.format) }
    guard let plugin else { throw .damaged(.noVideoLibrary) }
    // Two open videos may need more memory than the worker may have.
    last = nil
    let video = try VideoImage(found, of: file, demuxer, rotation, threads: threads, plugin)
    last = video
    return video
  }

  /// Returns whether there is a movie inside of a photo.
  func hasMovie(_ file: ImageFile, _ rotation: ImageRotation) -> Bool {
    guard [.jpeg, .heif].contains(file.format) else { return false }
    return last?.isOf(file, rotation) == true || FoundVideo(in: file) != nil
  }

  /// The version of libavcodec, or nil if the library cannot be loaded.
  var version: String? { plugin.flatMap { $0.version().map { String(cString: $0) } } }

  private static func load() -> VideoPlugin? {
    Plugin.video.load(VIDEO_PLUGIN_ENTRY, as: VideoPlugin.self)
  }
}

extension ImageFile {
  /// The demuxer of libavformat that reads the file, or nil if none does.
  fileprivate var demuxer: String? {
    // A sequence header without a stream around it.
    let isBare = format == .mpegPS && bytes(at: 3, count: 1).first == 0xB3
    return isBare ? "mpegvideo" : format.demuxer
  }
}

extension ImageFormat {
  /// The demuxer that reads a video's format, or nil if none does.
  fileprivate var demuxer: String? {
    switch self {
    case .quickTime: "mov"
    case .matroska: "matroska"
    case .avi: "avi"
    case .mpegTS: "mpegts"
    case .mpegPS: "mpeg"
    case .asf: "asf"
    case .flv: "flv"
    case .ogg: "ogg"
    // Animations.
    case .png: "apng"
    case .heif: "mov"
    case .jxl: "jxl"
    default: nil
    }
  }
}
