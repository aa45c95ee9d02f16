import CVTerm
import Glibc

/// A program that was started as the leader of a new session.
struct ChildProcess: Sendable {
  let identifier: pid_t

  /// Starts a program with the terminal at `terminalPath` as its descriptors 0 to 2 and controlling terminal.
  init(
    executable: String, arguments: [String], environment: [String: String], workingDirectory: String?,
    terminalPath: String
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let workingDirectory { posix_spawn_file_actions_addchdir_np(&actions, workingDirectory) }
    // The leader of a session gets the first terminal that it opens as its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, terminalPath, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    // sigfillset leaves out the two signals of glibc's thread library, and the program would start with both ignored.
    memset(&signals, 0xFF, MemoryLayout<sigset_t>.size)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSID) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var identifier = pid_t()
    let failure = Self.withCStrings([executable] + arguments) { arguments in
      Self.withCStrings(variables) { variables in
        posix_spawn(&identifier, executable, &actions, &attributes, arguments, variables)
      }
    }
    if failure != 0 { throw HarnessError.systemCall("posix_spawn \(executable)", failure) }
    self.identifier = identifier
  }

  /// Blocks until the program has ended, and does not reap it.
  func waitForEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Reaps the program after its end, and returns its status.
  func reap() -> ExitStatus {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return ExitStatus(waitStatus: status)
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
