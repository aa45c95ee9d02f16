import Gallery

/// A server that finds photos by what their images show.
public protocol ContentSearchProtocol: Sendable {
  /// Returns the photos whose images fit a text, best first.
  ///
  /// A server can say of each photo how well it fits, so only the best are returned.
  func photos(fitting text: String) async throws(APIError) -> [ImageLocation]
}
