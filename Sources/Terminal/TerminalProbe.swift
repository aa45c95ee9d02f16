import CTerminalGuard
import Foundation
import ImageWire

/// What is known of the terminal that a command prints on, without taking its screen.
@MainActor
public struct TerminalProbe {
  public let size: Size
  public let capabilities: Capabilities

  /// Asks the terminal behind the standard output, and waits for its answers, for some seconds at most: what came later
  /// would be typed into the shell.
  /// - Parameters:
  ///   - asks: Whether the terminal is asked at all, or only the kernel.
  ///   - depth: The colors that are used; for few of them the terminal is asked how they look.
  /// - Throws: ``TerminalError`` where there is no terminal.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, asks: Bool, depth: ColorDepth?
  ) throws(TerminalError) {
    let teletype = try Teletype()
    size = teletype.size
    var capabilities = Capabilities(environment: environment)
    capabilities.kernelCellSize = teletype.cellSize
    if asks, environment["TERM"] != "dumb" {
      try Self.ask(teletype, environment, asksPalette: depth?.hasPalette ?? false, &capabilities)
      if capabilities.multiplexer == .tmux { capabilities.add(TmuxClient.ask(environment: environment)) }
    }
    self.capabilities = capabilities
  }

  private static func ask(
    _ teletype: Teletype, _ environment: [String: String], asksPalette: Bool, _ capabilities: inout Capabilities
  ) throws(TerminalError) {
    var original = try teletype.attributes()
    var raw = original.raw
    guard terminal_guard_start(teletype.descriptor, &original, &raw) >= 0, terminal_guard_enter() == 0 else {
      throw .systemCallFailed("tcsetattr", reason: String(cString: strerror(errno)))
    }
    defer { terminal_guard_leave() }
    var file: String?
    defer { if let file { QuestionFile.remove(file) } }
    var parser = InputParser()
    let isLocal = QuestionFile.makesSense(environment)
    while let questions = capabilities.nextQuestions(
      file: {
        if isLocal { file = QuestionFile.make() }
        return file.map { Data($0.utf8).base64EncodedString() }
      }, asksPalette: asksPalette)
    {
      terminal_guard_await_answers(true)
      let deadline = ContinuousClock.now + .milliseconds(TERMINAL_GUARD_ANSWER_MILLISECONDS)
      // Whatever the terminal has not read by now is dropped, and its answers with it.
      guard write(questions, to: teletype.descriptor, until: deadline) else { break }
      while capabilities.missingAnswers > 0, let bytes = read(from: teletype.descriptor, until: deadline) {
        for case .reply(let reply) in parser.feed(bytes) { capabilities.add(reply) }
      }
      // The guard waits for the same moment, which has passed.
      terminal_guard_await_answers(false)
    }
  }

  /// - Returns: Whether all of it was written in time.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, waits(for: POLLOUT, on: descriptor, until: deadline) {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR || errno == EAGAIN else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return rest.isEmpty
  }

  /// - Returns: nil if nothing came in time, or the terminal has gone.
  private static func read(from descriptor: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    guard waits(for: POLLIN, on: descriptor, until: deadline) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private static func waits(for event: Int32, on descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = Int32(max(.zero, deadline - .now) / .milliseconds(1))
      var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&ready, 1, left)
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }
}
