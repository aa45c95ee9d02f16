import Foundation

/// Runs other programs for their output.
enum ChildProcess {
  /// The longest output in bytes. Answers are short, so longer output is none.
  private static let mostBytes = 1 << 16

  /// Runs a program, found by PATH, and blocks until it has ended or the time is over.
  /// - Returns: The program's standard output; nil if the program could not be run, failed, or took too long.
  static func output(
    of program: String, _ arguments: [String], environment: [String: String], within time: Duration
  ) -> String? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    let process = spawn(program, arguments, environment: environment, standardOutput: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard let process else { return nil }
    let output = readToEnd(ends[0], until: ContinuousClock.now + time)
    if output == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard let output, status == 0 else { return nil }
    return String(decoding: output, as: UTF8.self)
  }

  private static func readToEnd(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    var output: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while output.count < mostBytes {
      let left = Int32(max(.zero, deadline - .now) / .milliseconds(1))
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, left)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      let length = read(descriptor, &bytes, bytes.count)
      if length == 0 { return output }
      if length < 0, errno != EINTR { return nil }
      output += bytes[..<max(0, length)]
    }
    return nil
  }

  private static func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], standardOutput: Int32
  ) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&files, standardOutput, 1)
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)

    // This thread may have blocked its signals, and this program may ignore some.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let words = ([program] + arguments).map { strdup($0) }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, program, &files, &attributes, words + [nil], variables + [nil])
    return failure == 0 ? process : nil
  }
}
