import CSystem
import Foundation
import Gallery

/// Opens images by `xdg-open`, the command of freedesktop.org's xdg-utils, and runs the user's commands.
public struct DesktopOpener: DesktopServiceProtocol {
  private static let command = "xdg-open"

  private let page: @Sendable (_ image: String) -> String?

  /// Creates a service that starts `xdg-open` for each image.
  /// - Parameter page: Returns the address of the page on which a server shows an image, or nil for the image itself.
  public init(page: @escaping @Sendable (_ image: String) -> String? = { _ in nil }) { self.page = page }

  public func location(of image: ImageLocation) -> ImageLocation {
    if case .web(let address) = image, let page = page(address) { .web(page) } else { image }
  }

  public func open(_ image: ImageLocation) async throws(APIError) {
    let process: pid_t
    // The place is an absolute path or an address. Neither can be mistaken for an option.
    switch Self.start([Array(Self.command.utf8), image.bytes]) {
    case .success(let started): process = started
    case .failure(let error):
      throw .cannotOpen(error.code == .ENOENT ? .openerMissing : .openerFailed(reason: error.reason))
    }
    // xdg-open may turn into the viewer and run until that is closed.
    if await Self.end(of: process) != 0 { throw .cannotOpen(.noProgram) }
  }

  public func browse(_ address: String) async throws(APIError) {
    #if os(Linux)
      // Without a screen, xdg-open would start a browser for terminals, which can show nothing.
      let environment = ProcessInfo.processInfo.environment
      guard ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains(where: { environment[$0]?.isEmpty == false }) else {
        throw .cannotOpen(.noProgram)
      }
    #endif
    try await open(.web(address))
  }

  public func playCommand(from seconds: Double) async -> [[UInt8]]? {
    let arguments = ["mpv", "--force-window=immediate", "--start=\(seconds)", "--"]
    return Self.firstCommand(of: ["WAYLAND_DISPLAY", "DISPLAY"].map { ($0, arguments) })
  }

  public func imageCopyCommand() async -> [[UInt8]]? { Self.firstCommand(of: Self.imageCopyCommands) }

  /// Returns the first command whose desktop and whose program are there.
  private static func firstCommand(of commands: [(variable: String, arguments: [String])]) -> [[UInt8]]? {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let command = commands.first { variable, command in
      environment[variable]?.isEmpty == false && folders.contains { access("\($0)/\(command[0])", X_OK) == 0 }
    }
    return command?.arguments.map { Array($0.utf8) }
  }

  /// The commands that copy a PNG, each with the variable that says that its desktop is there.
  private static let imageCopyCommands = [
    (variable: "WAYLAND_DISPLAY", arguments: ["wl-copy", "--type", "image/png"]),
    (variable: "DISPLAY", arguments: ["xclip", "-selection", "clipboard", "-t", "image/png"]),
  ]

  public func run(_ arguments: [[UInt8]], input: [UInt8]) async throws(APIError) {
    // A file takes any number of messages without a reader. Without one, they are lost.
    let file = tmpfile()
    defer { if let file { fclose(file) } }
    let messages = file.map { fileno($0) } ?? -1
    if messages >= 0 { _ = fcntl(messages, F_SETFD, FD_CLOEXEC) }
    let source = input.isEmpty ? nil : Self.file(of: input)
    defer { if let source { fclose(source) } }
    switch Self.start(arguments, messages: messages, input: source.map { fileno($0) } ?? -1) {
    case .failure(let error): throw .commandFailed(.notStarted(reason: error.reason))
    case .success(let process):
      let status = await Self.end(of: process)
      if let fault = CommandFault(status: status, messages: Self.lastBytes(of: messages)) {
        throw .commandFailed(fault)
      }
    }
  }

  /// Returns a file from which a program reads bytes, however slowly, or nil if there is no room for it.
  private static func file(of bytes: [UInt8]) -> UnsafeMutablePointer<FILE>? {
    guard let file = tmpfile() else { return nil }
    _ = fcntl(fileno(file), F_SETFD, FD_CLOEXEC)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      fclose(file)
      return nil
    }
    rewind(file)
    return file
  }

  /// The most bytes of a program's messages that are read.
  private static let mostMessageBytes = 4096

  private static func lastBytes(of file: Int32) -> [UInt8] {
    guard file >= 0 else { return [] }
    let start = max(0, lseek(file, 0, SEEK_END) - mostMessageBytes)
    return [UInt8](unsafeUninitializedCapacity: mostMessageBytes) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, mostMessageBytes, off_t(start)))
    }
  }

  /// Waits on a separate thread for the end of a process, and returns its status (wait(2)).
  private static func end(of process: pid_t) async -> Int32 {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        continuation.resume(returning: status)
      }
      thread.name = "opener"
      thread.start()
    }
  }

  /// Starts a program, found by PATH, and returns its process identifier.
  /// - Parameters:
  ///   - messages: The file for its standard error; -1 for none.
  ///   - input: The file for its standard input; -1 for none.
  private static func start(
    _ arguments: [[UInt8]], messages: Int32 = -1, input: Int32 = -1
  ) -> Swift.Result<pid_t, POSIXError> {
    let words = arguments.map(strdup)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    // Its output would appear in the gallery.
    let failure = start_in_session(&process, words[0]!, words + [nil], environ, input, messages)
    return failure == 0 ? .success(process) : .failure(POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL))
  }

  private static func strdup(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { Foundation.strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }
}

extension POSIXError {
  /// The system's words for the error.
  fileprivate var reason: String { String(cString: strerror(code.rawValue)) }
}
