import Gallery
import ImageWire
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Renders one file after another, as the gallery requests them.
enum RenditionService {
  /// - Parameters:
  ///   - regionMegapixels: The most megapixels of decoded surroundings to keep.
  ///   - memory: The most memory of the decoder in bytes.
  static func run(regionMegapixels: Int = 8, memory: Int = Limits.memory) -> Never {
    // The opener is a copy of this process, so it is started while there is little to copy.
    guard let opener = FileOpener.start() else { exit(EXIT_FAILURE) }
    let thumbnailMaker = ThumbnailMaker(store: opener.store)
    let renderer = Renderer(thumbnailMaker: thumbnailMaker, regions: RegionCache(mostPixels: regionMegapixels << 20))
    Limits.confineDecoder(memory: memory)
    let processors = UInt32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    while let next = opener.next(hasWork: !thumbnailMaker.isDone) {
      guard case .request(let request, let files) = next else {
        thumbnailMaker.makeNext()
        continue
      }
      let limit = {
        // In the shell, one image may use all processors.
        if request.destination == nil {
          Limits.start(processors: request.isForCommand ? processors : 1)
        } else {
          Limits.start(seconds: UInt32(ExportRequest.longest))
        }
      }
      // An archive may have to be unpacked up to the photo.
      if files.memory == nil { limit() } else { Limits.start(seconds: Limits.seconds) }
      guard RequestChannel.send(renderer.answer(request, files, onUnpacked: limit)) else { break }
      renderer.finish()
      thumbnailMaker.makeUrgent()
      Limits.lift()
    }
    exit(EXIT_SUCCESS)
  }
}
