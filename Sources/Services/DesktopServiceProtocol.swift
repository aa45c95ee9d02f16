import Gallery

/// A service that opens images in other programs, and runs the user's own commands.
public protocol DesktopServiceProtocol: Sendable {
  /// Opens an image in the program that the user's desktop uses for it.
  ///
  /// - Throws: `APIError.cannotOpen` if there is no such program.
  func open(_ image: ImageLocation) async throws(APIError)

  /// Opens an address in the web browser of the user's desktop.
  ///
  /// - Throws: `APIError.cannotOpen` if there is none, as in a session over SSH.
  func browse(_ address: String) async throws(APIError)

  /// Runs a command beside the gallery, without input, until it ends.
  ///
  /// - Parameter arguments: The program, found by PATH, and its arguments.
  /// - Throws: `APIError.commandFailed` if it can't be started or if its exit status isn't 0.
  func run(_ arguments: [[UInt8]]) async throws(APIError)
}
