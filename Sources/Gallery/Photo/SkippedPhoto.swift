/// A photo that is left out of a written catalog.
public struct SkippedPhoto: Hashable, Sendable {
  /// A reason why a photo cannot be written.
  public enum Fault: Hashable, Sendable {
    /// The name of the file is not UTF-8, which JSON needs.
    case nameIsNotUTF8
  }

  /// The photo's path in printable text.
  public let name: String
  /// The reason why the photo is left out.
  public let fault: Fault

  /// Creates the report of a photo.
  public init(name: String, fault: Fault) {
    self.name = name
    self.fault = fault
  }
}
