import Gallery

/// The way in which an image is shown: its part, its rotation, its frame, its tones, what is drawn over it, and which of a raw
/// file's images it is.
public struct ImagePresentation: Hashable, Sendable {
  /// The part of the rotated image.
  public var view: ImageView
  /// The rotation of the image. It applies before ``view``.
  public var rotation: ImageRotation
  /// The index of an animation's frame, counted from 0, or a position of a video in milliseconds; 0 for the frame that stands for
  /// the video. With a negative position of a video, the key frame before it is enough, which is there sooner.
  public var frame: Int
  /// The overlay that is drawn over the image.
  public var overlay: ImageOverlay
  /// The change of the image's tones. Clipped pixels are judged, and drawn, without it.
  public var tone: ImageTone
  /// The part of the rotated image that stands out, as the rest is cut off when it is exported; nil for all of it. It shows only
  /// where the whole image does.
  public var crop: PhotoCrop?

  /// Whether the data of a raw file are shown, and not the preview in it.
  public var isDeveloped: Bool

  /// Creates a presentation, which shows the whole upright image unless the arguments say otherwise.
  public init(
    view: ImageView = .whole, rotation: ImageRotation = .upright, frame: Int = 0, overlay: ImageOverlay = .none,
    tone: ImageTone = .unchanged, crop: PhotoCrop? = nil, isDeveloped: Bool = false
  ) {
    self.view = view
    self.rotation = rotation
    self.frame = frame
    self.overlay = overlay
    self.tone = tone
    self.crop = crop
    self.isDeveloped = isDeveloped
  }
}

/// The part of an image that is shown, and its size.
public enum ImageView: Hashable, Sendable {
  /// The whole image, as large as fits in the box. Pixels are not enlarged.
  case whole
  /// The whole image, as large as fits in the box, even if that enlarges it.
  case enlarged
  /// The largest part that fills the box. The rest is cut off at the sides.
  case filling
  /// The image as high as the box. What is wider than the box is cut off at the sides.
  case fillingHeight
  /// The part around a point. `scale` is the number of the screen's pixels for one of the image, in units of 1/65536. The
  /// coordinates are in units of 1/65536 of the image's width and height.
  case zoomed(scale: Int, centerX: Int, centerY: Int)

  /// Whether only a part of the image is shown, which the user has enlarged.
  public var isPart: Bool { if case .zoomed = self { true } else { false } }
}

extension ImageView {
  /// Returns the pixels of an image's side that are seen in a window, in the view ``zoomed(scale:centerX:centerY:)``.
  ///
  /// - Parameters:
  ///   - length: The length of the side in pixels.
  ///   - room: The length of the window's side in pixels.
  ///   - center: The point in the middle, in units of 1/65536 of the side. The part ends at the image's edge.
  public static func stretch(of length: Int, in room: Int, scale: Int, around center: Int) -> Range<Int> {
    let scale = max(1, scale)
    let seen = min(length, max(1, (room * 65536 + scale - 1) / scale))
    let start = min(max(0, center * length / 65536 - seen / 2), length - seen)
    return start..<start + seen
  }
}

/// An overlay by which the user judges an image, or sees how it was judged.
public enum ImageOverlay: UInt8, Hashable, Sendable, CaseIterable {
  case none
  /// The edges that are in focus (focus peaking).
  case peaking
  /// The pixels that are black or white, or have a channel at its maximum.
  case clipping
  /// The background, through which the image is still recognized, as a rejected one.
  case fading
  /// A sign around the pixel in the middle, whose color the user reads.
  case pixel
}

extension ImagePresentation {
  func encode(to bytes: inout [UInt8]) {
    view.encode(to: &bytes)
    bytes.append(rotation.rawValue)
    bytes.put(signed: frame)
    bytes.append(overlay.rawValue)
    tone.encode(to: &bytes)
    bytes.put(isDeveloped)
    bytes.append(crop == nil ? 0 : 1)
    for edge in crop?.edges ?? [] { bytes.put(Int((edge * 65536).rounded())) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    view = try ImageView(from: &reader)
    rotation = try reader.value()
    frame = try reader.signed()
    overlay = try reader.value()
    tone = try ImageTone(from: &reader)
    isDeveloped = try reader.flag()
    guard try reader.uint8() != 0 else { return }
    func edge() throws(WireError) -> Double { Double(try reader.int()) / 65536 }
    crop = PhotoCrop(left: try edge(), top: try edge(), right: try edge(), bottom: try edge())
  }
}

extension ImageView {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .whole: bytes.append(0)
    case .filling: bytes.append(1)
    case .zoomed(let scale, let centerX, let centerY):
      bytes.append(2)
      for value in [scale, centerX, centerY] { bytes.put(value) }
    case .enlarged: bytes.append(3)
    case .fillingHeight: bytes.append(4)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .whole
    case 1: self = .filling
    case 2: self = .zoomed(scale: try reader.int(), centerX: try reader.int(), centerY: try reader.int())
    case 3: self = .enlarged
    case 4: self = .fillingHeight
    default: throw .malformed
    }
  }
}
