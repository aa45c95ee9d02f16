/// A mistake in a file of the user's.
public struct ConfigurationProblem: Hashable, Sendable {
  /// The file's path.
  public let file: String
  /// The line, counted from 1; nil if it is not known.
  public let line: Int?
  /// The name of the setting, such as "keys.quit"; empty if the file as a whole can't be read.
  public let key: String
  /// The mistake in a sentence, and the values that are allowed.
  public let reason: String

  /// The problem in one line, as compilers report theirs.
  public var text: String {
    "\(file):\(line.map { "\($0):" } ?? "") \(key.isEmpty ? "" : "\(key): ")\(reason)"
  }
}
