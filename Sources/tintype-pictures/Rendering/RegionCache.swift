import Gallery
import ImageWire
import Metadata

/// The decoded surroundings of the parts that the user looks at. While the user moves a part, nothing has to be decoded.
struct RegionCache {
  /// The pixels around a part of an image, at the size that they have in the image.
  struct Region {
    fileprivate let key: Key
    /// The place of the pixels in the upright image.
    let rect: PixelRect
    let pixels: Pixels
    /// The properties of the whole image.
    let info: ImageInfo
  }

  fileprivate struct Key: Equatable {
    let path: FilePath
    let modifiedAt: Int
    let rotation: ImageRotation
    let isDeveloped: Bool
    let background: UInt32
  }

  /// The most recently used regions, the last one last.
  private var regions: [Region] = []

  /// The most pixels of all regions, which take four bytes each.
  private let mostPixels: Int
  /// The most pixels of one region, so that there is room for those of two panes and of the photos that follow.
  private static let mostPixelsOfRegion = 2 << 20
  /// The greatest width of what is decoded, as a multiple of what is shown: a window at each side. Of a large window,
  /// only what is shown is decoded.
  private static let largestFactor = 3.0

  init(mostPixels: Int = 8 << 20) { self.mostPixels = mostPixels }

  /// The pixels of all regions.
  var pixelCount: Int { regions.reduce(0) { $0 + $1.pixels.size.area } }

  /// Returns the part of an image that a rendition shows, decoding its surroundings if necessary; nil if it doesn't show the
  /// image's own pixels, or shows too many.
  mutating func part(
    of file: ImageFile, _ specification: RenditionSpecification, _ decoder: ImageDecoder
  ) throws(ImageFault) -> (pixels: Pixels, layout: Layout, info: ImageInfo)? {
    // Below this scale, the decoder may shrink the image.
    let presentation = specification.presentation
    guard case .zoomed(let scale, _, _) = presentation.view, scale > 1 << 15, presentation.frame == 0,
      presentation.rotation != .stored
    else { return nil }
    let key = Key(
      path: file.path, modifiedAt: file.modifiedAt, rotation: presentation.rotation,
      isDeveloped: presentation.isDeveloped, background: specification.screen.background)
    if let place = regions.firstIndex(where: { $0.key == key }) {
      let region = regions.remove(at: place)
      let layout = Layout(PixelSize(region.info.width, region.info.height), specification)
      if let part = region.part(layout) {
        regions.append(region)
        return (part, layout, region.info.scaled(layout))
      }
    }
    guard let wide = widened(specification) else { return nil }
    let decoded = try decoder.decode(file, wide)
    let rect = decoded.layout.part
    let layout = Layout(PixelSize(decoded.info.width, decoded.info.height), specification)
    let region = Region(key: key, rect: rect, pixels: decoded.pixels, info: decoded.info)
    // The preview of a raw file may have fewer pixels than the image.
    guard decoded.pixels.size == rect.size, !decoded.isPreview || file.format.isRaw, let part = region.part(layout)
    else { return nil }
    keep(region)
    return (part, layout, decoded.info.scaled(layout))
  }

  private mutating func keep(_ region: Region) {
    regions.append(region)
    while regions.count > 1, pixelCount > mostPixels { regions.removeFirst() }
  }

  /// Returns a specification that shows more around the same point, or nil if that would be too much.
  private func widened(_ specification: RenditionSpecification) -> RenditionSpecification? {
    guard case .zoomed(let scale, _, _) = specification.presentation.view else { return nil }
    let screen = specification.screen
    let area = Double(specification.columns * screen.cellWidth) * Double(specification.rows * screen.cellHeight)
    let shown = area / (Double(scale) / 65536) / (Double(scale) / 65536)
    guard shown <= Double(mostPixels) else { return nil }
    let factor = min(Self.largestFactor, max(1, (Double(Self.mostPixelsOfRegion) / max(1, shown)).squareRoot()))
    var wide = specification
    wide.columns = Int(Double(wide.columns) * factor)
    wide.rows = Int(Double(wide.rows) * factor)
    return wide
  }
}

extension RegionCache.Region {
  /// Returns the pixels of a layout's part, or nil if not all of them are here.
  fileprivate func part(_ layout: Layout) -> Pixels? {
    let (x, y) = (layout.part.x - rect.x, layout.part.y - rect.y)
    guard x >= 0, y >= 0, x + layout.part.size.width <= rect.size.width,
      y + layout.part.size.height <= rect.size.height
    else { return nil }
    return pixels.part(PixelRect(x: x, y: y, size: layout.part.size))
  }
}

extension ImageInfo {
  /// Returns the properties for another layout of the same image.
  fileprivate func scaled(_ layout: Layout) -> ImageInfo {
    var info = self
    info.scale = layout.scale
    return info
  }
}
