import CJPEG
import Gallery
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A JPEG in a file, or in a part of a file. libjpeg itself decodes it, since loading libvips takes 20 ms.
final class JPEGImage {
  /// The size of the rotated image.
  let uprightSize: PixelSize
  let space: ColorSpace
  /// The ICC profile of the pixels, whose colors are not converted; nil if they become sRGB.
  let profile: [UInt8]?
  /// The orientation by which the stored image is shown, from 1 to 8, as in Exif.
  private let orientation: Int
  private let decoder: OpaquePointer
  private let file: ImageFile

  /// The most errors in the data that are passed over. With more of them, the pixels have little to do with the image.
  private static let mostWarnings = 100
  /// The number of decoded pixels from which decoding takes longer than everything else.
  private static let largePixels = 8_000_000
  /// The pixels around a part that are decoded with it, since the colors of neighbors are interpolated.
  private static let margin = 32

  /// Returns nil if there is no JPEG, or if libvips must convert its colors (CMYK, a profile of tables).
  ///
  /// - Parameters:
  ///   - offset: The place of the JPEG in the file.
  ///   - space: The colors of a JPEG without a profile.
  ///   - keepsColors: Whether colors with a profile of RGB are not converted.
  init?(
    _ file: ImageFile, at offset: Int = 0, orientation: Int, space: ColorSpace = .srgb, keepsColors: Bool = false
  ) {
    guard let decoder = cjpeg_open(file.descriptor, off_t(offset)) else { return nil }
    let profile = keepsColors ? Self.profile(decoder).flatMap { ColorProfile.isRGB($0) ? $0 : nil } : nil
    guard let space = profile == nil ? Self.space(decoder, otherwise: space) : .srgb else {
      cjpeg_close(decoder)
      return nil
    }
    self.decoder = decoder
    self.space = space
    self.profile = profile
    self.file = file
    self.orientation = orientation
    let size = PixelSize(Int(cjpeg_width(decoder)), Int(cjpeg_height(decoder)))
    uprightSize = orientation >= 5 ? size.transposed : size
  }

  deinit { cjpeg_close(decoder) }

  /// Whether the file ended before the rows that have been decoded.
  var isIncomplete: Bool { cjpeg_is_incomplete(decoder) != 0 || isBroken }
  /// Whether an error ended the decoding after some rows.
  private var isBroken = false

  /// Decodes a part of the image, upright. Pixels that are missing since the file ends too soon are gray.
  ///
  /// - Parameters:
  ///   - wanted: The least pixels of the result, if the image has as many; see ``Layout/decodedPixels``.
  ///   - onRows: Called after each row with the pixels so far and the number of their finished rows. It is not called for
  ///     an image that must be rotated.
  func pixels(
    of part: PixelRect, wanted: (usual: PixelSize, large: PixelSize), onRows: (Pixels, Int) -> Void = { _, _ in }
  ) throws(ImageFault) -> Pixels {
    let stored = part.stored(orientation, in: uprightSize)
    let isTransposed = orientation >= 5
    let eighths = Int32(
      Self.eighths(
        stored.size, isTransposed ? wanted.usual.transposed : wanted.usual,
        large: isTransposed ? wanted.large.transposed : wanted.large))
    var (width, height): (Int32, Int32) = (0, 0)
    guard cjpeg_start(decoder, eighths, &width, &height) == 0 else { throw failure }
    var region = stored.scaled(eighths: Int(eighths), in: PixelSize(Int(width), Int(height)))
    let pixels = Pixels(region.size)
    var firstRow = 0
    if eighths == 8 { (width, firstRow) = try skip(to: &region, width) }
    let row = Pixels(PixelSize(Int(width), 1))
    let conversion = space == .srgb ? nil : ColorConversion(from: space)
    let light = LightRow.allocate(capacity: conversion == nil ? 0 : region.size.width)
    defer { light.deallocate() }
    for y in firstRow..<region.y + region.size.height {
      if !isBroken, cjpeg_read_row(decoder, row.words.baseAddress) != 0 {
        guard y > firstRow else { throw failure }
        isBroken = true
        row.words.update(repeating: Pixels.word(0x808080))
      }
      guard y >= region.y else { continue }
      let shown = UnsafeMutableBufferPointer(rebasing: row.words[region.x..<region.x + region.size.width])
      if let conversion {
        conversion.decode(shown, into: light)
        conversion.encode(light, into: pixels.row(y - region.y))
      } else {
        _ = pixels.row(y - region.y).update(fromContentsOf: shown)
      }
      if orientation == 1 { onRows(pixels, y - region.y + 1) }
    }
    guard cjpeg_is_blank(decoder) == 0 else { throw .incomplete }
    guard cjpeg_warnings(decoder) <= Self.mostWarnings else { throw .damaged(.tooManyFaults) }
    return pixels.upright(orientation)
  }

  /// Leaves out the columns and rows that are far from a region, which saves most of the time of decoding.
  ///
  /// - Parameters:
  ///   - region: The part of the image that is decoded. Its columns count from the first decoded one afterwards.
  ///   - width: The width of the image.
  /// - Returns: The width of the decoded rows, and the index of the first one.
  private func skip(to region: inout PixelRect, _ width: Int32) throws(ImageFault) -> (width: Int32, firstRow: Int) {
    var (column, columns) = (Int32(max(0, region.x - Self.margin)), width)
    columns = Int32(min(Int(width), region.x + region.size.width + Self.margin)) - column
    if columns < width {
      guard cjpeg_crop(decoder, &column, &columns) == 0 else { throw failure }
      region.x -= Int(column)
    }
    let firstRow = max(0, region.y - Self.margin)
    if firstRow > 0, cjpeg_skip_rows(decoder, Int32(firstRow)) != 0 { throw failure }
    return (columns, firstRow)
  }

  private var failure: ImageFault { .damaged(.library(reason: String(cString: cjpeg_error(decoder)))) }

  /// Returns the smallest scale, in eighths, that leaves at least the wanted pixels. The decoder scales so at nearly no cost.
  private static func eighths(_ size: PixelSize, _ wanted: PixelSize, large: PixelSize) -> Int {
    func smallest(_ needed: PixelSize) -> Int {
      [1, 2, 4].first { size.width * $0 >= needed.width * 8 && size.height * $0 >= needed.height * 8 } ?? 8
    }
    let scale = smallest(wanted)
    return size.area * scale * scale / 64 > largePixels ? smallest(large) : scale
  }

  /// Returns the colors by the profile, `other` if there is none, or nil if libvips must convert them.
  private static func space(_ decoder: OpaquePointer, otherwise other: ColorSpace) -> ColorSpace? {
    guard let profile = profile(decoder) else { return other }
    return ColorProfile(profile)?.space(isGray: cjpeg_is_gray(decoder) != 0)
  }

  private static func profile(_ decoder: OpaquePointer) -> [UInt8]? {
    var count = 0
    guard let profile = cjpeg_copy_profile(decoder, &count) else { return nil }
    defer { free(profile) }
    return [UInt8](UnsafeRawBufferPointer(start: profile, count: count))
  }
}

extension PixelRect {
  /// Returns the same part of the image as the file stores it.
  func stored(_ orientation: Int, in upright: PixelSize) -> PixelRect {
    let (right, bottom) = (upright.width - x - size.width, upright.height - y - size.height)
    return switch orientation {
    case 2: PixelRect(x: right, y: y, size: size)
    case 3: PixelRect(x: right, y: bottom, size: size)
    case 4: PixelRect(x: x, y: bottom, size: size)
    case 5: PixelRect(x: y, y: x, size: size.transposed)
    case 6: PixelRect(x: y, y: right, size: size.transposed)
    case 7: PixelRect(x: bottom, y: right, size: size.transposed)
    case 8: PixelRect(x: bottom, y: x, size: size.transposed)
    default: self
    }
  }

  /// Returns the same part of the shrunk image.
  fileprivate func scaled(eighths: Int, in shrunk: PixelSize) -> PixelRect {
    let (left, top) = (min(x * eighths / 8, shrunk.width - 1), min(y * eighths / 8, shrunk.height - 1))
    let right = min(((x + size.width) * eighths + 7) / 8, shrunk.width)
    let bottom = min(((y + size.height) * eighths + 7) / 8, shrunk.height)
    return PixelRect(x: left, y: top, size: PixelSize(max(1, right - left), max(1, bottom - top)))
  }
}
