import Gallery

/// A service that opens images in other programs.
public protocol DesktopServiceProtocol: Sendable {
  /// Opens an image in the program that the user's desktop uses for it.
  ///
  /// - Throws: `APIError.cannotOpen` if there is no such program.
  func open(_ image: ImageLocation) async throws(APIError)
}
