#if Pictures
  import ImageWire
  import Metadata

  /// Makes thumbnails of decoded images. They wait until no request does, since scaling and encoding the larger ones takes as
  /// long as decoding a small image.
  final class ThumbnailMaker {
    private struct Work {
      let number: UInt32
      let pixels: Pixels
      /// The size of the image itself.
      let size: PixelSize
      /// The sides of the thumbnails' boxes, the largest first.
      let boxes: [Int]
    }

    private let store: (Pixels, PixelSize, UInt32) -> Void
    private var waiting: [Work] = []

    /// The most pixels of the images that wait: those of two photos that fill a large terminal, or of all rows of a list. Of
    /// more, the oldest ones are dropped, since the user has moved on.
    private static let mostPixels = 12 << 20

    /// - Parameter store: Stores a thumbnail of the file of a request by its number, whose image has this size.
    init(store: @escaping (Pixels, PixelSize, UInt32) -> Void = { _, _, _ in }) { self.store = store }

    /// Whether all thumbnails are made.
    var isDone: Bool { waiting.isEmpty }

    /// Adds the small thumbnail, and the one that would have been sharp enough for the image's layout, if there are none yet.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - known: The thumbnails that there are.
    func add(_ decoded: ImageDecoder.Decoded, of file: ImageFile, _ number: UInt32, known: [Thumbnail]) {
      let (layout, size) = (decoded.layout, PixelSize(decoded.info.width, decoded.info.height))
      guard decoded.isWhole, !layout.isPart, !layout.isCut, file.format != .svg else { return }
      let large =
        layout.sharpSide > ThumbnailCache.box ? ThumbnailCache.largeBoxes.first { $0 >= layout.sharpSide } : nil
      let boxes = [large, ThumbnailCache.box].compactMap(\.self).filter { box in
        // Smaller images are decoded nearly as fast as thumbnails.
        size.longerSide > 2 * box && decoded.pixels.size.longerSide >= box && !known.contains { $0.box == box }
      }
      guard !boxes.isEmpty else { return }
      waiting.append(Work(number: number, pixels: decoded.pixels, size: size, boxes: boxes))
      var pixels = waiting.reduce(0) { $0 + $1.pixels.size.area }
      while pixels > Self.mostPixels, waiting.count > 1 { pixels -= waiting.removeFirst().pixels.size.area }
    }

    /// Makes the thumbnails of the image that has waited longest.
    func makeNext() {
      guard !waiting.isEmpty else { return }
      let work = waiting.removeFirst()
      var pixels = work.pixels
      for box in work.boxes {
        pixels = pixels.scaled(
          to: PixelSize(
            max(1, (work.size.width * box * 2 / work.size.longerSide + 1) / 2),
            max(1, (work.size.height * box * 2 / work.size.longerSide + 1) / 2)))
        store(pixels, work.size, work.number)
      }
    }

    /// Makes all thumbnails.
    func makeAll() { while !isDone { makeNext() } }
  }
#endif
