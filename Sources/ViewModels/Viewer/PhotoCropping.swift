import Gallery

/// The frame by which the user crops a photo, with the sides that it may have.
///
/// ```swift
/// let cropping = PhotoCropping(width: 6000, height: 4000, crop: nil, orientation: .upright)
/// cropping.nextRatio()  // 1:1
/// cropping.move(1, 0)
/// if let change = cropping.change { viewer.decide(change) }
/// ```
@MainActor
public final class PhotoCropping {
  /// The part of the upright image inside of the frame.
  public private(set) var frame: PhotoCrop
  /// The index of the ratio in ``ratios``.
  private var ratio = 0

  private let width: Double
  private let height: Double
  private let orientation: ImageOrientation
  /// The change that stands for the frame to begin with.
  private var former = DecisionChange.set(.crop, nil)

  /// The largest error of a ratio that a crop was given, since its sides are kept with few digits.
  private static let tolerance = 0.002
  /// The ratios of the frame's sides. Without one, the sides are free.
  private static let ratios: [(width: Double, height: Double)?] = [
    nil, (1, 1), (3, 2), (2, 3), (4, 3), (3, 4), (16, 9), (9, 16),
  ]
  /// The share of the image's side by which a key moves the frame.
  private static let step = 0.02
  /// The shortest side of the frame, as a share of the image's.
  private static let shortest = 0.05

  /// - Parameters:
  ///   - width: The width of the upright image in pixels.
  ///   - height: The height of the upright image in pixels.
  ///   - crop: The part of the upright image to begin with; nil for all of it.
  ///   - orientation: The orientation of the stored image.
  public init(width: Int, height: Int, crop: PhotoCrop?, orientation: ImageOrientation) {
    self.width = Double(max(1, width))
    self.height = Double(max(1, height))
    self.orientation = orientation
    frame = crop ?? PhotoCrop(x: 0, y: 0, width: 1, height: 1)
    former = framed
    // The ratio of the image itself says nothing.
    guard abs(frame.width / frame.height - 1) > Self.tolerance else { return }
    let sides = frame.width * self.width / (frame.height * self.height)
    ratio = Self.ratios.firstIndex { $0.map { abs(sides * $0.height / $0.width - 1) < Self.tolerance } ?? false } ?? 0
  }

  /// The name of the ratio, and the frame's size in pixels.
  public var text: String {
    let sides = "\(Int((frame.width * width).rounded()))×\(Int((frame.height * height).rounded()))"
    return "\(ratioText) · \(sides)"
  }

  private var ratioText: String {
    guard let (width, height) = Self.ratios[ratio] else { return localized("Free") }
    return "\(Int(width)):\(Int(height))"
  }

  /// The change of the photo, or nil if the frame is the one to begin with. A frame around the whole image removes the crop.
  public var change: DecisionChange? { framed == former ? nil : framed }

  /// The change that removes the crop.
  public var removal: DecisionChange { .set(.crop, nil) }

  /// The reason why there is no crop to remove, or nil if there is one.
  public var removalRefusal: String? { former == removal ? localized("The photo is not cropped.") : nil }

  private var framed: DecisionChange {
    let crop = PhotoCrop(left: frame.x, top: frame.y, right: frame.x + frame.width, bottom: frame.y + frame.height)
    return .set(.crop, crop.map { .text($0.stored(orientation).text) })
  }

  /// The reason why one side alone can't be changed, or nil if it can.
  public var sidesRefusal: String? {
    Self.ratios[ratio] == nil ? nil : localized("The frame keeps \(ratioText). Choose “Free” to change one side.")
  }

  /// Moves the frame by steps.
  public func move(_ x: Int, _ y: Int) {
    frame.x += Double(x) * Self.step
    frame.y += Double(y) * Self.step
    keepInside()
  }

  /// Makes both sides longer or shorter. What is in the middle stays there, as far as the image reaches.
  public func scale(by factor: Double) {
    let largest = min(1 / frame.width, 1 / frame.height)
    let smallest = Self.shortest / min(frame.width, frame.height)
    resize(factor: min(max(factor, min(1, smallest)), largest))
  }

  private func resize(factor: Double) { setSides(frame.width * factor, frame.height * factor) }

  /// Makes the frame wider by steps, or narrower.
  public func widen(by steps: Int) {
    if sidesRefusal == nil { setSides(frame.width + 2 * Double(steps) * Self.step, frame.height) }
  }

  /// Takes the next ratio, with the largest frame of it around the same middle.
  public func nextRatio() {
    ratio = (ratio + 1) % Self.ratios.count
    guard let sides = Self.ratios[ratio] else { return }
    let share = sides.width / sides.height * height / width
    setSides(min(1, share), min(1, 1 / share))
  }

  private func setSides(_ width: Double, _ height: Double) {
    let (x, y) = (frame.x + frame.width / 2, frame.y + frame.height / 2)
    frame.width = min(1, max(Self.shortest, width))
    frame.height = min(1, max(Self.shortest, height))
    frame.x = x - frame.width / 2
    frame.y = y - frame.height / 2
    keepInside()
  }

  private func keepInside() {
    frame.x = min(max(0, frame.x), 1 - frame.width)
    frame.y = min(max(0, frame.y), 1 - frame.height)
  }
}
