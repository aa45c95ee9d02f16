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
    var graphic: (id: UInt32, image: GraphicImage)? {
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

    /// The bytes that each rendition takes in addition to its cells or pixels: its subject with the path, the ladder, and their
    /// share of the dictionary, which has room for up to twice as many.
    private static let fixedCost = 768
  }

  /// The properties of renditions that are the same for all images of a screen.
  public struct Look: Hashable, Sendable {
    /// The output format.
    public var format: OutputFormat
    /// A cell's width in pixels.
    public var cellWidth: Int
    /// A cell's height in pixels.
    public var cellHeight: Int
    /// The color under transparent parts, 0xRRGGBB.
    public var background: UInt32
    /// The terminal's colors, as in ``RenditionRequest/palette``.
    public var palette: [UInt32]

    /// Creates a look from its properties.
    public init(format: OutputFormat, cellWidth: Int, cellHeight: Int, background: UInt32, palette: [UInt32] = []) {
      self.format = format
      self.cellWidth = cellWidth
      self.cellHeight = cellHeight
      self.background = background
      self.palette = palette
    }
  }

  /// An image and the properties of the rendition that is wanted of it.
  public struct Subject: Hashable, Sendable {
    /// The place where the image comes from.
    public var image: ImageLocation
    /// The width of the box in cells.
    public var columns: Int
    /// The height of the box in cells.
    public var rows: Int
    /// The part of the image that is shown.
    public var view: ImageView
    /// The rotation of the image. It applies before ``view``.
    public var rotation: ImageRotation
    /// The index of an animation's frame, counted from 0.
    public var frame: Int
    /// The overlay that is drawn over the image.
    public var overlay: ImageOverlay
    /// The properties that all renditions of the screen share.
    public var look: Look

    /// Creates a subject from its properties.
    public init(
      _ image: ImageLocation, columns: Int, rows: Int, view: ImageView = .whole, rotation: ImageRotation = .upright,
      frame: Int = 0, overlay: ImageOverlay = .none, look: Look
    ) {
      self.image = image
      self.columns = columns
      self.rows = rows
      self.view = view
      self.rotation = rotation
      self.frame = frame
      self.overlay = overlay
      self.look = look
    }

    /// Whether only a part of the image is shown, which the user has enlarged.
    var isPart: Bool { if case .zoomed = view { true } else { false } }

    func hasSameExtent(as other: Subject) -> Bool { (columns, rows) == (other.columns, other.rows) }
  }
}
