import Gallery
import ImageWire

extension ImageLoader {
  /// The current state of an image's rendition.
  public enum Rendition: Equatable, Sendable {
    case loading
    case cells(CellImage)
    /// Pixels with the id under which the terminal knows them.
    case graphic(id: UInt32, GraphicImage)
    /// The image can't be shown.
    case failed(ImageFault)
    /// The image can't be fetched from the web.
    case notFetched(APIError)

    /// The pixels with their id, or nil if it is not made of pixels.
    var graphic: StoredImage? {
      if case .graphic(let id, let image) = self { (id, image) } else { nil }
    }

    /// The approximate number of bytes on the line to the terminal.
    var byteCount: Int {
      switch self {
      case .cells(let image): image.byteCount
      case .graphic(_, let image): image.bytes.count
      case .loading, .failed, .notFetched: 0
      }
    }

    /// The approximate number of bytes in memory. What the terminal stores counts half, since it is not this program's, but
    /// must not grow without a limit either.
    var cost: Int {
      switch self {
      case .cells(let image): Self.fixedCost + image.cells.count * MemoryLayout<CellImage.Cell>.stride
      case .graphic(_, let image): Self.fixedCost + max(image.bytes.count, image.width * image.height * 3 / 2)
      case .loading, .failed, .notFetched: Self.fixedCost
      }
    }

    /// The bytes that each rendition takes in addition to its cells or pixels: its specification with the path, the ladder, and their
    /// share of the dictionary, which has room for up to twice as many.
    private static let fixedCost = 768
  }
}
