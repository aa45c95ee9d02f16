import Gallery
import Services
import Store

/// The marks of a source, saved in the store.
public struct KeptMarks: MarkServiceProtocol {
  /// The meaning of the marks.
  public enum Kind {
    /// The user has marked the photos.
    case marks
    /// The user has chosen the photos in comparisons of their stacks.
    case kept
  }

  private let store: StateStore
  private let source: [UInt8]

  /// Creates the marks of a source.
  ///
  /// - Parameters:
  ///   - kind: The meaning of the marks.
  ///   - source: The bytes that identify the source, such as those of a folder's path.
  public init(_ kind: Kind = .marks, store: StateStore, source: [UInt8]) {
    self.store = store
    self.source = kind == .marks ? source : source + "\0kept".utf8
  }

  /// Returns the locations of the marked photos.
  public func marks() async throws(APIError) -> MarkedLocations { try await store.marks(of: source) }

  /// Replaces the marks.
  public func setMarks(_ marks: MarkedLocations, insteadOf former: MarkedLocations) async throws(APIError) {
    try await store.setMarks(marks, insteadOf: former, of: source)
  }
}
