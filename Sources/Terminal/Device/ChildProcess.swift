import CSystem
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
    guard connect_sockets(&ends) == 0 else { return nil }
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

  /// Runs a program, found by PATH, in a terminal, whose keys and signals it gets until it ends. A thread waits for that.
  /// - Parameter receive: Called with an error's number (errno) and the program's status (wait(2)), one of which is 0.
  @MainActor
  static func run(
    _ arguments: [[UInt8]], environment: [String: String], in terminal: Int32,
    then receive: @escaping @MainActor (_ error: Int32, _ status: Int32) -> Void
  ) {
    Thread.detachNewThread {
      // Taking the terminal back from the background would stop the process.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      let words = arguments.map { bytes in
        (bytes + [0]).withUnsafeBufferPointer { text in
          text.withMemoryRebound(to: CChar.self) { strdup($0.baseAddress!) }
        }
      }
      let variables = environment.map { strdup("\($0.key)=\($0.value)") }
      defer { for text in words + variables { free(text) } }
      var process: pid_t = 0
      var status: Int32 = 0
      let error = start_in_terminal(&process, words[0], words + [nil], variables + [nil], terminal)
      if error == 0 {
        while waitpid(process, &status, WUNTRACED) != process || status & 0xFF == 0x7F {
          // There is no shell to which Ctrl-Z could lead.
          kill(-process, SIGCONT)
        }
      }
      // A program that could not be started may have had the terminal, too.
      tcsetpgrp(terminal, getpgrp())
      DispatchQueue.main.async { [status] in MainActor.assumeIsolated { receive(error, status) } }
    }
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
    let words = ([program] + arguments).map { strdup($0) }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let error = start_program(&process, program, words + [nil], variables + [nil], -1, standardOutput, -1)
    return error == 0 ? process : nil
  }
}
