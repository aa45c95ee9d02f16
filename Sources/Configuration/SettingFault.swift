/// A reason why a value can't be used, in a sentence that says what is allowed.
public struct SettingFault: Error {
  /// The sentence.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Sequence<String> {
  /// The strings as values of a setting, such as `"auto", "kitty"`.
  var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
