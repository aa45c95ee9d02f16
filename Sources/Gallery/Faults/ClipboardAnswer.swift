/// The answer of a terminal to data for the user's clipboard.
public enum ClipboardAnswer: Hashable, Sendable {
  /// The clipboard has the data.
  case done
  /// The terminal's settings or the user don't allow it.
  case denied
  /// Another error, by its name in errno.h, such as `EIO`.
  case failed(String)
}
