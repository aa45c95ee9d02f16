/// The place of an image in a box that is larger.
public struct Alignment: Hashable, Sendable {
  /// The place between the left and the right side.
  public enum Horizontal: String, CaseIterable, Sendable {
    case left, center, right
  }

  /// The place between the top and the bottom.
  public enum Vertical: String, CaseIterable, Sendable {
    case top, middle, bottom
  }

  /// The place between the left and the right side.
  public var horizontal: Horizontal
  /// The place between the top and the bottom; nil if the box may be as low as the image.
  public var vertical: Vertical?

  /// Creates an alignment. Without arguments, images start at the left, and their boxes are as low as they are.
  public init(_ horizontal: Horizontal = .left, _ vertical: Vertical? = nil) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Returns the number of columns before something as wide as `columns` in a box as wide as `width`.
  func indent(_ columns: Int, in width: Int) -> Int {
    let free = max(0, width - columns)
    return switch horizontal {
    case .left: 0
    case .center: free / 2
    case .right: free
    }
  }

  /// Returns the number of lines above something as high as `rows` in a box as high as `height`.
  func drop(_ rows: Int, in height: Int) -> Int {
    let free = max(0, height - rows)
    return switch vertical ?? .top {
    case .top: 0
    case .middle: free / 2
    case .bottom: free
    }
  }
}
