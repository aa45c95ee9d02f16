import Gallery
import ImageWire
import Metadata

/// Makes thumbnails of decoded images. They wait until no request does, since scaling and encoding the larger ones takes as
/// long as decoding a small image. Only the small thumbnail of an image that is slow to decode is made at once: it fills
/// the places of the other renditions of that image, which take as long.
final class ThumbnailMaker {
  private struct Work {
    let number: UInt32
    let pixels: Pixels
    /// The size of the image itself.
    let size: PixelSize
    /// The sides of the thumbnails' boxes, the largest first.
    let boxes: [Int]
    /// Whether decoding the image again would take longer than making the thumbnails.
    let isUrgent: Bool
  }

  private let store: (Pixels, PixelSize, UInt32) -> Void
  private var waiting: [Work] = []

  /// The most pixels of the images that wait: those of two photos that fill a large terminal, or of all rows of a list. Of
  /// more, the oldest ones are dropped, since the user has moved on.
  private static let mostPixels = 12 << 20
  /// The time in which an image is decoded before the user notices that it is missing.
  private static let unnoticedTime = Duration.milliseconds(100)
  /// The side of the largest box whose thumbnail is made in a tenth of that time.
  private static let largestUrgentBox = 512

  /// - Parameter store: Stores a thumbnail of the file of a request by its number, whose image has this size.
  init(store: @escaping (Pixels, PixelSize, UInt32) -> Void = { _, _, _ in }) { self.store = store }

  /// Whether all thumbnails are made.
  var isDone: Bool { waiting.isEmpty }

  /// Adds the small thumbnail, and the one that would have been sharp enough for the image's layout, if there are none yet.
  ///
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - known: The thumbnails that there are.
  ///   - time: The time that decoding took.
  func add(
    _ decoded: ImageDecoder.Decoded, of file: ImageFile, _ number: UInt32, known: [Thumbnail], after time: Duration
  ) {
    let size = PixelSize(decoded.info.width, decoded.info.height)
    guard decoded.isWhole, file.format != .svg else { return }
    var boxes = ThumbnailCache.boxes(for: decoded.layout, of: size).filter { box in
      decoded.pixels.size.longerSide >= box && !known.contains { $0.box == box }
    }
    let isSlow = time > Self.unnoticedTime
    if isSlow, boxes.last == ThumbnailCache.box { _ = make(boxes.removeLast(), of: decoded.pixels, size, number) }
    guard let largest = boxes.first else { return }
    waiting.append(
      Work(
        number: number, pixels: decoded.pixels, size: size, boxes: boxes,
        isUrgent: isSlow && largest <= Self.largestUrgentBox))
    var pixels = waiting.reduce(0) { $0 + $1.pixels.size.area }
    while pixels > Self.mostPixels, waiting.count > 1 { pixels -= waiting.removeFirst().pixels.size.area }
  }

  /// Makes the thumbnails that should not wait, between two requests. The program may end before there is nothing else to do.
  func makeUrgent() {
    while let index = waiting.firstIndex(where: \.isUrgent) {
      waiting.insert(waiting.remove(at: index), at: 0)
      makeNext()
    }
  }

  /// Makes the thumbnails of the image that has waited longest.
  func makeNext() {
    guard !waiting.isEmpty else { return }
    let work = waiting.removeFirst()
    var pixels = work.pixels
    for box in work.boxes { pixels = make(box, of: pixels, work.size, work.number) }
  }

  /// Scales an image to a thumbnail in a box, and stores that.
  private func make(_ box: Int, of pixels: Pixels, _ size: PixelSize, _ number: UInt32) -> Pixels {
    let thumbnail = pixels.scaled(to: size.scaled(toLongerSide: box))
    store(thumbnail, size, number)
    return thumbnail
  }

  /// Makes all thumbnails.
  func makeAll() { while !isDone { makeNext() } }
}
