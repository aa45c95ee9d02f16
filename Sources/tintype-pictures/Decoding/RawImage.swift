import CRawPlugin
import Gallery
import ImageWire
import Metadata

/// An open raw file, whose values are developed when its pixels are read.
final class RawImage {
  /// The size of the rotated image.
  let uprightSize: PixelSize
  private let storedSize: PixelSize
  private let plugin: RawPlugin
  private let raw: OpaquePointer
  private let path: FilePath
  private let modifiedAt: Int
  private let rotation: ImageRotation
  /// The orientation by which the stored image is shown, from 1 to 8, as in Exif.
  private let orientation: Int
  /// What was developed last.
  private var developed: (light: RawLight, isHalf: Bool)?

  /// The most pixels of an image that is developed in its own size, which takes ten bytes a pixel.
  private static let mostPixels = 64 << 20
  /// The colors of what is developed. Light isn't lifted, so that shots with different exposures differ, and only what the sensor
  /// has clipped is white.
  private static let space = ColorSpace(.gamma(1), .srgb)

  init(of file: ImageFile, _ rotation: ImageRotation, _ plugin: RawPlugin) throws(ImageFault) {
    guard let raw = plugin.open(file.descriptor) else { throw Self.failure(plugin) }
    self.raw = raw
    self.plugin = plugin
    self.rotation = rotation
    path = file.path
    modifiedAt = file.modifiedAt
    storedSize = PixelSize(Int(plugin.width(raw)), Int(plugin.height(raw)))
    orientation = rotation.orientation(for: Int(plugin.orientation(raw)))
    uprightSize = orientation >= 5 ? storedSize.transposed : storedSize
  }

  deinit { plugin.close(raw) }

  /// Whether the image is that of a file.
  func isOf(_ file: ImageFile) -> Bool { path == file.path && modifiedAt == file.modifiedAt }

  /// Whether the image is that of a file, shown with a rotation.
  func isOf(_ file: ImageFile, _ rotation: ImageRotation) -> Bool { isOf(file) && self.rotation == rotation }

  /// Whether some of the developed values were damaged or missing.
  var isDamaged: Bool { plugin.is_damaged(raw) != 0 }

  /// Returns the pixels of a part of the image in sRGB, scaled down in light. They are not enlarged.
  ///
  /// - Parameters:
  ///   - part: A part of the upright image.
  ///   - wanted: The size of the result.
  func pixels(of part: PixelRect, wanted: PixelSize, _ filter: ScalingFilter = .smooth) throws(ImageFault) -> Pixels {
    let stored = part.stored(orientation, in: uprightSize)
    let wanted = orientation >= 5 ? wanted.transposed : wanted
    let isHalf =
      wanted.width * 2 <= stored.size.width && wanted.height * 2 <= stored.size.height
      || storedSize.area > Self.mostPixels
    let light = try develop(isHalf: isHalf)
    let size = PixelSize(Int(light.width), Int(light.height))
    let source = PixelRect(size: size).part(stored, of: storedSize)
    let target = PixelSize(min(source.size.width, wanted.width), min(source.size.height, wanted.height))
    let conversion = ColorConversion(from: Self.space, isWide: true)
    let pixels = Pixels(target)
    light.samples.withMemoryRebound(to: SIMD4<UInt16>.self, capacity: size.area) { samples in
      Scaler(from: source.size, to: target, filter).scale(0..<target.height) { y, row in
        let start = samples + (source.y + y) * size.width + source.x
        conversion.decode(
          wide: UnsafeMutableBufferPointer(start: .init(mutating: start), count: source.size.width), into: row)
      } to: { y, row in
        conversion.encode(row, into: pixels.row(y))
      }
    }
    return pixels.upright(orientation)
  }

  /// Develops the image, unless the last one is good enough.
  private func develop(isHalf: Bool) throws(ImageFault) -> RawLight {
    if let developed, isHalf || !developed.isHalf { return developed.light }
    developed = nil
    var light = RawLight()
    guard plugin.develop(raw, isHalf ? 1 : 0, &light) == 0 else { throw Self.failure(plugin) }
    developed = (light, isHalf)
    return light
  }

  private static func failure(_ plugin: RawPlugin) -> ImageFault {
    let reason = plugin.error().map { String(cString: $0) } ?? ""
    return .damaged(reason.isEmpty ? .unknown : .library(reason: reason))
  }
}
