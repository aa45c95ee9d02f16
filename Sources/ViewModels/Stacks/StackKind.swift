import Gallery

/// The reason why some shots are one stack.
public enum StackKind: Hashable, Sendable {
  /// The shots show nearly the same, as those of a burst, and the user keeps the best of them.
  case burst
  /// The shots have different exposures.
  case bracket
  /// The shots are focused at different distances.
  case focusSeries
  /// The shots are the parts of a panorama.
  case panorama
  /// The photos are the same picture in several files. Only a search for duplicates lists them as a stack, which is open.
  case duplicates

  /// Whether the shots complete each other. While such a stack is closed, a decision about it is one about all of its shots.
  public var isSet: Bool {
    switch self {
    case .burst, .duplicates: false
    case .bracket, .focusSeries, .panorama: true
    }
  }
}
