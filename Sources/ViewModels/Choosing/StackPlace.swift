import Gallery
import Photos

/// The place of a shot in a stack.
public struct StackPlace: Hashable, Sendable {
  /// The number of the shot, counted from 1 for the one that represents the stack.
  public let number: Int
  /// The number of shots in the stack.
  public let count: Int
  /// Whether all shots are listed.
  public let isOpen: Bool
  /// The reason why the shots are a stack.
  public var kind = StackKind.burst
  /// Whether the shots are sorted by their sharpness.
  public var isSorted = false
  /// Whether the user has kept the shot in a comparison of the stack.
  public var isKept = false
  /// The sharpness of the shot in percent of the stack's sharpest one, or nil if the stack is not open or was not measured.
  public var sharpness: Int?
  /// Whether the stack is open and has shots with the same name.
  public var repeatsNames = false
  /// What tells a photo from its duplicates, or nil for a photo of another stack.
  public var remark: String?

  /// The shots in words: "12 shots" or "bracket of 3" of a stack that is not open, or "2/12".
  public var text: String {
    if isOpen { return "\(number)/\(count)" }
    return switch kind {
    case .burst, .duplicates: localized("\(count) shot", plural: "\(count) shots", count: count)
    case .bracket: localized("bracket of \(count)")
    case .focusSeries: localized("focus series of \(count)")
    case .panorama: localized("panorama of \(count)")
    }
  }
}

/// The stacks of rows that have other ones than the list, such as those of a cull.
@MainActor
protocol RowStacks: AnyObject {
  /// Returns the place of a shot in its stack, or nil if the list knows it.
  func stackPlace(of id: Photo.ID) -> StackPlace?
  /// Returns the indices of the other shots that a decision about a shot is about, too; nil if the list knows them.
  func others(with id: Photo.ID) -> [TableIndex]
}

extension StackPlace {
  /// The shots that a cull offers of a closed stack: "2 of 12, sharpest first", or "bracket of 3, rated as one".
  public var offerText: String {
    if isOpen { return text }
    return switch kind {
    case .burst where isSorted: localized("\(number) of \(count), sharpest first")
    case .burst, .duplicates: localized("\(number) of \(count), not measured yet")
    case .bracket, .focusSeries, .panorama: localized("\(text), rated as one")
    }
  }
}
