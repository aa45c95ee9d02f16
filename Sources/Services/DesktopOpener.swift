import Foundation
import Gallery

/// Opens images by `xdg-open`, the command of freedesktop.org's xdg-utils.
public struct DesktopOpener: DesktopServiceProtocol {
  private static let command = "xdg-open"
  /// `POSIX_SPAWN_SETSID` of <spawn.h>, a GNU extension that Swift does not import.
  private static let newSession: Int16 = 0x80

  /// Creates a service that starts `xdg-open` for each image.
  public init() {}

  public func open(_ image: ImageLocation) async throws(APIError) {
    let process = try Self.start(image.bytes)
    // xdg-open may turn into the viewer and run until that is closed, so a separate thread waits for it.
    let status = await withCheckedContinuation { continuation in
      let thread = Thread {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        continuation.resume(returning: status)
      }
      thread.name = "opener"
      thread.start()
    }
    if status != 0 {
      throw .cannotOpen(
        reason: "\(Self.command) found no program for it here; set one, or copy its place with y")
    }
  }

  /// Starts `xdg-open` and returns its process identifier.
  ///
  /// - Parameter place: An absolute path or an address. Neither can be mistaken for an option.
  private static func start(_ place: [UInt8]) throws(APIError) -> pid_t {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    // Its output would appear in the gallery, and it must get neither keys nor signals of the terminal.
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0)
    }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let words = [strdup(command), strdup(place)]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, command, &files, &attributes, words + [nil], environ)
    if failure == 0 { return process }
    throw .cannotOpen(
      reason: failure == ENOENT
        ? "\(command) is not installed; install xdg-utils" : "\(command): \(String(cString: strerror(failure)))")
  }

  private static func strdup(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { Foundation.strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }

  private static func strdup(_ text: String) -> UnsafeMutablePointer<CChar>? { Foundation.strdup(text) }
}
