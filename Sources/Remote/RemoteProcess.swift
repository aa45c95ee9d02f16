import CSystem
import Foundation
import Gallery
import Synchronization
import WorkerPool

/// A process of ssh, which runs `tintype serve` on the other machine.
final class RemoteProcess: Sendable {
  /// The descriptors of its output and of its input.
  let input: Int32
  let output: Int32
  /// Whether what it says as an error is only kept, since the gallery is on the screen.
  let isQuiet: Atomic<Bool>
  private let id: pid_t
  private let words = Mutex("")
  private let status = Mutex<Int32?>(nil)
  private let isDrained = Atomic(false)
  private let draining = MonotonicCondition()

  /// The command on the other machine. A shell that is not started for a login may not know all folders of programs.
  private static let command = #"sh -c 'PATH="$HOME/.local/bin:$PATH:/usr/local/bin" exec tintype serve'"#
  /// The most characters of errors that are kept.
  private static let mostWords = 2000
  /// The time for its last words. A connection that it leaves in the background keeps the pipe open.
  private static let patience = Duration.milliseconds(200)

  /// - Parameters:
  ///   - asks: Whether ssh may ask questions in the terminal, and print what it has to say there.
  ///   - isShared: Whether ssh may use a connection that it shares (`ControlMaster`).
  init(_ address: RemoteAddress, asks: Bool, isShared: Bool) throws(RemoteFault) {
    var (ends, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard connect_sockets(&ends) == 0, create_pipe(&errors, 1) == 0 else {
      let reason = String(cString: strerror(errno))
      for end in ends where end >= 0 { close(end) }
      throw .noSSH(reason: reason)
    }
    let variables = ProcessInfo.processInfo.environment
    // As in Git, the user may name another command in place of ssh, with options of its own.
    let command = RemoteAddress.sshCommand
    let words =
      (command == "ssh" ? ["ssh"] : ["sh", "-c", "exec \(command) \"$@\"", "sh"])
      + ["-T"] + (asks ? [] : ["-o", "BatchMode=yes"]) + (isShared ? [] : ["-o", "ControlPath=none"])
      + address.sshOptions + ["--", address.sshHost, Self.command]
    let texts = words.map { strdup($0) }
    let environment = variables.map { strdup("\($0)=\($1)") }
    defer { for text in texts + environment { free(text) } }
    var id: pid_t = 0
    let error = start_program(&id, words[0], texts + [nil], environment + [nil], ends[1], ends[1], errors[1])
    close(ends[1])
    close(errors[1])
    guard error == 0 else {
      close(ends[0])
      close(errors[0])
      throw .noSSH(reason: String(cString: strerror(error)))
    }
    self.id = id
    input = ends[0]
    output = dup(ends[0])
    isQuiet = Atomic(!asks)
    let descriptor = errors[0]
    Thread.detachNewThread { [self] in readErrors(descriptor) }
  }

  private func readErrors(_ descriptor: Int32) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      let text = String(decoding: chunk[..<count], as: UTF8.self)
      words.withLock { $0 = String(($0 + text).suffix(Self.mostWords)) }
      if !isQuiet.load(ordering: .relaxed) {
        // The other machine may say anything, as in its login message. ssh asks its questions in the terminal itself.
        Array(text.printableLines.utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    }
    close(descriptor)
    draining.lock()
    isDrained.store(true, ordering: .relaxed)
    draining.signal()
    draining.unlock()
  }

  /// The last line that it has said as an error; nothing if it was printed already.
  var lastWords: String {
    if !isQuiet.load(ordering: .relaxed) { return "" }
    let lines = words.withLock { $0 }.split(whereSeparator: \.isNewline)
    return lines.last.map { String($0).trimmingCharacters(in: .whitespaces) } ?? ""
  }

  /// Waits until it has ended and has said its last words, and returns its exit status, or -1 if a signal has ended it.
  func wait() -> Int32 {
    status.withLock { known in
      if let known { return known }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
      known = code
      draining.lock()
      if !isDrained.load(ordering: .relaxed) { draining.wait(for: Self.patience) }
      draining.unlock()
      return code
    }
  }

  /// Ends it, also if it is stopped.
  func end() {
    guard status.withLock({ $0 }) == nil else { return }
    kill(id, SIGTERM)
    kill(id, SIGCONT)
    _ = wait()
  }
}
