/// A byte that a library reads in place of one in a file.
public struct BytePatch: Sendable {
  /// The place of the byte in the file.
  public let place: Int
  /// The byte that is read instead.
  public let byte: UInt8

  /// Returns the patches that replace the bytes from a place on.
  static func patches(_ bytes: some Sequence<UInt8>, at place: Int) -> [BytePatch] {
    bytes.enumerated().map { BytePatch(place: place + $0.offset, byte: $0.element) }
  }
}
