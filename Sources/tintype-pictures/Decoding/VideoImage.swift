import CVideoPlugin
import Gallery
import ImageWire
import Metadata

/// An open video or animation, of which one frame is decoded at a time.
final class VideoImage {
  /// The size of the rotated frames.
  let uprightSize: PixelSize
  /// The duration in seconds, or 0 if it is unknown.
  let duration: Double
  /// The time between two frames in seconds, or 0 if it is unknown.
  let frameInterval: Double
  /// Whether the file ends before its video does. The structure of the file is read once, and not for each frame.
  let isCutOff: Bool
  /// The number of frames, or 0 if it is unknown.
  let frames: Int
  private let storedSize: PixelSize
  /// The colors of an animation that its decoder does not tell; nil for none.
  private let space: ColorSpace?
  private let plugin: VideoPlugin
  private let video: OpaquePointer
  private let path: FilePath
  private let modifiedAt: Int
  private let rotation: ImageRotation
  private let threads: Int
  /// The orientation by which stored frames are shown, from 1 to 8, as in Exif.
  private let orientation: Int
  /// The time of the frame that stands for the video, in seconds, once it is known.
  private var stillTime: Double?

  /// libswscale writes rows in blocks.
  private static let rowAlignment = 64

  /// - Parameters:
  ///   - demuxer: The demuxer of libavformat that reads the file's format.
  ///   - threads: The number of threads that decode.
  init(
    _ found: FoundVideo, of file: ImageFile, _ demuxer: String, _ rotation: ImageRotation, threads: Int,
    _ plugin: VideoPlugin
  ) throws(ImageFault) {
    let place = found.place
    guard
      let video = plugin.open(
        file.descriptor, Int64(place.lowerBound), Int64(place.upperBound), demuxer, Int32(threads))
    else { throw Self.failure(plugin) }
    self.video = video
    self.plugin = plugin
    self.rotation = rotation
    self.threads = threads
    path = file.path
    modifiedAt = file.modifiedAt
    storedSize = PixelSize(max(1, Int(plugin.width(video))), max(1, Int(plugin.height(video))))
    orientation = rotation.orientation(for: found.orientation.rawValue)
    uprightSize = orientation >= 5 ? storedSize.transposed : storedSize
    duration = plugin.duration(video)
    let rate = plugin.frame_rate(video)
    frameInterval = rate > 0 ? 1 / rate : 0
    isCutOff = found.isCutOff
    frames = found.frames > 0 ? found.frames : Int(plugin.frames(video))
    space =
      file.isSequence ? file.codedSpace ?? (file.format == .png ? file.spaceWithoutProfile : nil) : nil
  }

  deinit { plugin.close(video) }

  /// Whether the video is that of a file, shown with a rotation, and has at least some threads.
  func isOf(_ file: ImageFile, _ rotation: ImageRotation, threads: Int = 1) -> Bool {
    path == file.path && modifiedAt == file.modifiedAt && self.rotation == rotation && self.threads >= threads
  }

  /// The time of the decoded frame, in seconds.
  var time: Double { plugin.time(video) }

  /// Decodes the frame that is shown at a time in seconds.
  /// - Parameter isExact: Whether the key frame before that time is not enough.
  func seek(_ time: Double, isExact: Bool = true) throws(ImageFault) {
    guard plugin.seek(video, time, isExact ? 1 : 0) == 0 else { throw Self.failure(plugin) }
  }

  /// Decodes the frame of a number, counted from 0.
  func seek(frame: Int) throws(ImageFault) {
    guard plugin.seek_number(video, Int32(clamping: frame)) == 0 else { throw Self.failure(plugin) }
  }

  /// How long the decoded frame is shown, in seconds, or 0 if the file does not say.
  var delay: Double { plugin.delay(video) }

  var hasAlpha: Bool { plugin.has_alpha(video) != 0 }

  /// Decodes the frame that stands for the video: one of its first tenth that is not dark, as the frames of a fade are.
  func seekStill() throws(ImageFault) {
    if let stillTime { return try seek(stillTime) }
    for (share, isExact) in [(0.1, false), (0.1, true), (0.05, true), (0.02, true)] {
      do throws(ImageFault) { try seek(duration * share, isExact: isExact) } catch { continue }
      if try !isDark() { break }
    }
    // If nothing could be decoded, the reason is that of the first frame.
    if time == 0 { try seek(0) }
    stillTime = time
  }

  /// Whether there is hardly anything to see in the decoded frame.
  private func isDark() throws(ImageFault) -> Bool {
    let size = PixelSize(64, 64)
    let samples = try frame(size, UInt32.self) { rows in
      rows.map { max($0 & 255, $0 >> 8 & 255, $0 >> 16 & 255) }
    }
    return samples.count { $0 > 48 } < samples.count / 50
  }

  /// Returns the pixels of a layout of the decoded frame in sRGB. They are scaled down in linear light to the size of the
  /// layout, or until the longer side has `longerSide` pixels if those are more. They are not enlarged.
  ///
  /// - Parameters:
  ///   - isQuick: Whether libswscale alone scales the frame, as while the video plays.
  ///   - background: The color under transparent parts, 0xRRGGBB.
  func pixels(
    _ layout: Layout, longerSide: Int = 0, isQuick: Bool, background: UInt32
  ) throws(ImageFault) -> Pixels {
    let stored = layout.part.stored(orientation, in: uprightSize)
    func size(_ upright: PixelSize) -> PixelSize { orientation >= 5 ? upright.transposed : upright }
    let isEnough = layout.pixels.longerSide >= longerSide
    let wanted = isEnough ? size(layout.pixels) : size(layout.part.size.scaled(toLongerSide: longerSide))
    let shrink = min(
      Double(stored.size.width) / Double(wanted.width), Double(stored.size.height) / Double(wanted.height))
    // libswscale lets the colors of transparent pixels count.
    let scale = hasAlpha ? 1 : max(1, isQuick ? shrink : shrink / Layout.margin)
    let isWhole = isQuick && stored.size == storedSize && shrink >= 1
    let whole =
      isWhole
      ? wanted
      : PixelSize(
        max(1, Int((Double(storedSize.width) / scale).rounded())),
        max(1, Int((Double(storedSize.height) / scale).rounded())))
    let part = PixelRect(size: whole).part(stored, of: storedSize)
    let target = PixelSize(min(part.size.width, wanted.width), min(part.size.height, wanted.height))
    return try pixels(of: part, in: whole, to: target, background).upright(orientation)
  }

  /// - Parameters:
  ///   - part: A part of the frame in the size `whole`.
  ///   - target: The size of the result before it is rotated.
  private func pixels(
    of part: PixelRect, in whole: PixelSize, to target: PixelSize, _ background: UInt32
  ) throws(ImageFault) -> Pixels {
    let codes = plugin.colors(video)
    let coded = CodedColors(primaries: Int(codes.primaries), transfer: Int(codes.transfer))
    let space = space ?? ColorSpace(coded) ?? .srgb
    if part.size == target, space == .srgb, !hasAlpha { return try copied(part, in: whole) }
    let conversion = ColorConversion(from: space, isWide: space.isHDR, hasAlpha: hasAlpha, background: background)
    return space.isHDR
      ? try pixels(of: part, in: whole, to: target, conversion, decode: conversion.decode(wide:into:))
      : try pixels(of: part, in: whole, to: target, conversion, decode: conversion.decode(_:into:))
  }

  /// Returns pixels that need neither a scaling nor a conversion.
  private func copied(_ part: PixelRect, in whole: PixelSize) throws(ImageFault) -> Pixels {
    try frame(whole, UInt32.self) { rows in
      let row = Self.aligned(whole.width)
      let pixels = Pixels(part.size)
      for y in 0..<part.size.height {
        let (start, target) = ((part.y + y) * row + part.x, pixels.row(y))
        for x in 0..<part.size.width { target[x] = rows[start + x] | 0xFF00_0000 }
      }
      return pixels
    }
  }

  private func pixels<Pixel>(
    of part: PixelRect, in whole: PixelSize, to target: PixelSize, _ conversion: ColorConversion,
    decode: (UnsafeMutableBufferPointer<Pixel>, LightRow) -> Void
  ) throws(ImageFault) -> Pixels {
    try frame(whole, Pixel.self) { rows in
      let row = Self.aligned(whole.width)
      let pixels = Pixels(target)
      Scaler(from: part.size, to: target, .smooth).scale(0..<target.height) { y, light in
        let start = (part.y + y) * row + part.x
        decode(UnsafeMutableBufferPointer(rebasing: rows[start..<start + part.size.width]), light)
      } to: { y, light in
        conversion.encode(light, into: pixels.row(y))
      }
      return pixels
    }
  }

  /// Calls a closure with the decoded frame in a size, of which each row has ``aligned(_:)`` pixels.
  private func frame<Pixel, Result>(
    _ size: PixelSize, _: Pixel.Type, _ body: (UnsafeMutableBufferPointer<Pixel>) -> Result
  ) throws(ImageFault) -> Result {
    let row = Self.aligned(size.width)
    let rows = UnsafeMutableBufferPointer<Pixel>.allocate(capacity: row * size.height)
    defer { rows.deallocate() }
    let isWide: Int32 = MemoryLayout<Pixel>.size == 8 ? 1 : 0
    let status = plugin.read(
      video, Int32(size.width), Int32(size.height), Int32(row), isWide, rows.baseAddress)
    guard status == 0 else { throw Self.failure(plugin) }
    return body(rows)
  }

  private static func aligned(_ width: Int) -> Int { (width + rowAlignment - 1) / rowAlignment * rowAlignment }

  private static func failure(_ plugin: VideoPlugin) -> ImageFault {
    let reason = plugin.error().map { String(cString: $0) } ?? ""
    return .damaged(reason.isEmpty ? .unknown : .library(reason: reason))
  }
}
