import Gallery

/// A service that opens images in other programs, and runs the user's own commands.
public protocol DesktopServiceProtocol: Sendable {
  /// Returns where other programs find an image: the image itself, or the page on which its server shows it.
  func location(of image: ImageLocation) -> ImageLocation

  /// Opens an image in the program that the user's desktop uses for it.
  ///
  /// - Throws: `APIError.cannotOpen` if there is no such program.
  func open(_ image: ImageLocation) async throws(APIError)

  /// Opens an address in the web browser of the user's desktop.
  ///
  /// - Throws: `APIError.cannotOpen` if there is none, as in a session over SSH.
  func browse(_ address: String) async throws(APIError)

  /// Runs a command beside the gallery, until it ends.
  ///
  /// - Parameters:
  ///   - arguments: The program, found by PATH, and its arguments.
  ///   - input: Its standard input.
  /// - Throws: `APIError.commandFailed` if it can't be started or if its exit status isn't 0.
  func run(_ arguments: [[UInt8]], input: [UInt8]) async throws(APIError)

  /// Returns the command that plays a video with sound from a time, without the path of its file, or nil if there is no desktop or
  /// no such program.
  ///
  /// - Parameter seconds: The time in the video.
  func playCommand(from seconds: Double) async -> [[UInt8]]?

  /// Returns the command that copies its standard input, a PNG, to the clipboard of the user's desktop, or nil if there is no
  /// desktop or no such command.
  func imageCopyCommand() async -> [[UInt8]]?
}

extension DesktopServiceProtocol {
  /// Returns the image itself.
  public func location(of image: ImageLocation) -> ImageLocation { image }
}
