import CVipsPlugin
import Gallery
import ImageWire
import Metadata

/// An image of libvips, which is decoded when its pixels are read.
final class VipsImage {
  /// The size of the rotated image.
  let uprightSize: PixelSize
  private let storedSize: PixelSize
  private let plugin: VipsPlugin
  private let image: OpaquePointer
  private let file: ImageFile
  private let loader: String
  private let frame: Int
  private let patches: [VipsPatch]
  /// The orientation by which the stored image is shown, from 1 to 8, as in Exif.
  private let orientation: Int
  /// The number of rows that libvips decodes at a time.
  private static let rowsPerStrip = 16

  /// Reads the header of a file.
  ///
  /// - Parameter loader: The loader of libvips that reads the file's format.
  init(
    of file: ImageFile, _ loader: String, frame: Int, _ rotation: ImageRotation, _ plugin: VipsPlugin
  ) throws(ImageFault) {
    patches = file.heifPatches.map { VipsPatch(offset: Int64($0.place), byte: $0.byte) }
    guard let image = Self.withFile(file, loader, frame, patches, { plugin.open(&$0) }) else {
      throw Self.failure(plugin)
    }
    self.image = image
    self.plugin = plugin
    self.file = file
    self.loader = loader
    self.frame = frame
    storedSize = PixelSize(Int(plugin.width(image)), Int(plugin.height(image)))
    orientation = rotation.orientation(for: Int(plugin.orientation(image)))
    uprightSize = orientation >= 5 ? storedSize.transposed : storedSize
  }

  deinit { plugin.close(image) }

  var hasAlpha: Bool { plugin.has_alpha(image) != 0 }
  var frames: Int { Int(plugin.frames(image)) }
  /// Returns how long a frame is shown, in milliseconds, or 0 if the file does not say.
  func delay(frame: Int) -> Int { Int(plugin.delay(image, Int32(clamping: frame))) }

  /// Decodes the pixels of a layout, in sRGB, on an opaque background (0xRRGGBB). They are scaled down in linear light to the
  /// size of the layout, or until the longer side has `longerSide` pixels if those are more. They are not enlarged.
  func pixels(_ layout: Layout, longerSide: Int = 0, background: UInt32) throws(ImageFault) -> Pixels {
    let stored = layout.part.stored(orientation, in: uprightSize)
    func size(_ upright: PixelSize) -> PixelSize { orientation >= 5 ? upright.transposed : upright }
    let shown = size(layout.pixels)
    let isEnough = layout.pixels.longerSide >= longerSide
    let wanted = isEnough ? shown : size(layout.part.size.scaled(toLongerSide: longerSide))
    // The preview in a HEIF file is used if it is sharp enough for the layout. No other is as fast.
    let needed = file.format == .heif ? shown : wanted
    let shrink = min(
      Double(stored.size.width) / Double(needed.width), Double(stored.size.height) / Double(needed.height))
    let isDrawing = file.format.isDrawing && !layout.isPart
    return try pixels(
      stored, wanted: wanted, shrink: isDrawing ? shrink : max(1, shrink / Layout.margin), space, .smooth, background)
  }

  /// Decodes the pixels of an exported image, and returns them with their profile, which is nil for sRGB.
  ///
  /// Only what has no pixels of its own is decoded in another size: a drawing. Pictures in a smaller size, such as the preview in
  /// a HEIF file, are not the image.
  func exportedPixels(
    _ layout: ExportLayout, background: UInt32, keepsColors: Bool
  ) throws(ImageFault) -> (pixels: Pixels, profile: [UInt8]?) {
    let stored = layout.part.stored(orientation, in: uprightSize)
    let wanted = orientation >= 5 ? layout.pixels.transposed : layout.pixels
    let isDrawing = file.format.isDrawing
    let shrink = min(
      Double(stored.size.width) / Double(wanted.width), Double(stored.size.height) / Double(wanted.height))
    let kept = keepsColors ? profile.flatMap { ColorProfile.isRGB($0) ? $0 : nil } : nil
    let pixels = try pixels(
      stored, wanted: wanted, shrink: isDrawing ? shrink : 1, kept == nil ? space : .srgb, .sharp, background)
    return (pixels, kept)
  }

  /// - Parameters:
  ///   - stored: The part of the image as the file stores it.
  ///   - wanted: The size of the result before it is rotated. It is smaller if the part is.
  ///   - shrink: The factor by which the loader may decode a smaller image.
  ///   - space: The colors of the image, or nil if libvips must convert them.
  private func pixels(
    _ stored: PixelRect, wanted: PixelSize, shrink: Double, _ space: ColorSpace?, _ filter: ScalingFilter,
    _ background: UInt32
  ) throws(ImageFault) -> Pixels {
    let rows = Self.withFile(file, loader, frame, patches) {
      plugin.open_rows(&$0, image, shrink, space == nil ? 1 : 0)
    }
    guard let rows else { throw Self.failure(plugin) }
    defer { plugin.close_rows(rows) }
    let opened = plugin.rows_image(rows)
    let size = PixelSize(Int(plugin.width(opened)), Int(plugin.height(opened)))
    let part = PixelRect(size: size).part(stored, of: storedSize)
    let target = PixelSize(min(part.size.width, wanted.width), min(part.size.height, wanted.height))
    let isWide = plugin.is_wide(rows) != 0
    let conversion = ColorConversion(
      from: space ?? .srgb, isWide: isWide, hasAlpha: plugin.has_alpha(opened) != 0, background: background)
    let pixels =
      isWide
      ? try scaled(part, of: rows, to: target, filter, conversion, decode: conversion.decode(wide:into:))
      : try scaled(part, of: rows, to: target, filter, conversion, decode: conversion.decode(_:into:))
    return pixels.upright(orientation)
  }

  /// The colors of the image, or nil if libvips must convert them from the profile.
  private var space: ColorSpace? {
    // The plug-in codes light so.
    if file.format == .openEXR || file.format == .radiance { return ColorSpace(.pq, .srgb) }
    if let space = file.codedSpace { return space }
    if let profile { return ColorProfile(profile)?.space(isGray: plugin.is_gray(image) != 0) }
    return file.spaceWithoutProfile
  }

  /// The ICC profile, or nil if there is none.
  private var profile: [UInt8]? {
    var count = 0
    return plugin.profile(image, &count).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) }
  }

  private func scaled<Pixel>(
    _ part: PixelRect, of rows: OpaquePointer, to target: PixelSize, _ filter: ScalingFilter,
    _ conversion: ColorConversion,
    decode: (UnsafeMutableBufferPointer<Pixel>, LightRow) -> Void
  ) throws(ImageFault) -> Pixels {
    let width = part.size.width
    // Some rows are read at a time, since each call takes a while.
    let strip = UnsafeMutableBufferPointer<Pixel>.allocate(capacity: width * Self.rowsPerStrip)
    defer { strip.deallocate() }
    var ready = 0..<0
    let pixels = Pixels(target)
    try Scaler(from: part.size, to: target, filter).scale(0..<target.height) { row, light throws(ImageFault) in
      if row >= ready.upperBound {
        ready = row..<min(row + Self.rowsPerStrip, part.size.height)
        let status = plugin.read_rows(
          rows, Int32(part.x), Int32(part.y + row), Int32(width), Int32(ready.count), strip.baseAddress)
        guard status == 0 else { throw Self.failure(plugin) }
      }
      let start = (row - ready.lowerBound) * width
      decode(UnsafeMutableBufferPointer(rebasing: strip[start..<start + width]), light)
    } to: { row, light in
      conversion.encode(light, into: pixels.row(row))
    }
    return pixels
  }

  private static func withFile<Result>(
    _ file: ImageFile, _ loader: String, _ frame: Int, _ patches: [VipsPatch], _ body: (inout VipsFile) -> Result
  ) -> Result {
    loader.withCString { loader in
      patches.withUnsafeBufferPointer { patches in
        var file = VipsFile(
          descriptor: file.descriptor, loader: loader, page: Int32(clamping: frame), patches: patches.baseAddress,
          patch_count: patches.count)
        return body(&file)
      }
    }
  }

  /// Returns the first of the errors that libvips has noted. The others follow from it.
  private static func failure(_ plugin: VipsPlugin) -> ImageFault {
    let errors = plugin.error().map { String(cString: $0) } ?? ""
    // libheif finds the length of a file by seeking beyond its end. libvips notes that although nothing is wrong.
    let first = errors.split(separator: "\n").first { !$0.contains("bad seek to") }
    // Each library has other words for that.
    if first?.lowercased().contains("memory") == true { return .damaged(.memory) }
    return .damaged(first.map { .library(reason: String($0)) } ?? .unknown)
  }
}
