import CTerminalGuard
import Foundation

/// What is known of the terminal that a command prints on, without taking its screen.
@MainActor
public struct TerminalProbe {
  /// How long the terminal may take to answer, in milliseconds.
  private static let answerTime = 200

  public let size: Size
  public let capabilities: Capabilities

  /// Asks the terminal behind the standard output, and waits for its answers for 200 ms at most.
  /// - Parameter asks: Whether it is asked at all, or only the kernel.
  /// - Throws: ``TerminalError`` where there is no terminal.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, asks: Bool
  ) throws(TerminalError) {
    let teletype = try Teletype()
    size = teletype.size
    var capabilities = Capabilities(environment: environment)
    capabilities.kernelCellSize = teletype.cellSize
    // A simple terminal would print the questions.
    if asks, !TerminalKind.isSimple(environment["TERM"] ?? "dumb") {
      try Self.ask(teletype, isLocal: QuestionFile.makesSense(environment), &capabilities)
    }
    self.capabilities = capabilities
  }

  private static func ask(
    _ teletype: Teletype, isLocal: Bool, _ capabilities: inout Capabilities
  ) throws(TerminalError) {
    var original = try teletype.attributes()
    var raw = original.raw
    guard terminal_guard_start(teletype.descriptor, &original, &raw) >= 0, terminal_guard_enter() == 0 else {
      throw .systemCallFailed("tcsetattr", reason: String(cString: strerror(errno)))
    }
    defer { terminal_guard_leave() }
    let file = isLocal ? QuestionFile.make() : nil
    defer { if let file { QuestionFile.remove(file) } }
    let questions = Questions.batch(
      through: capabilities.multiplexer, file: file.map { Data($0.utf8).base64EncodedString() })
    guard write(teletype.descriptor, questions, questions.count) == questions.count else { return }
    terminal_guard_await_answers(Int32(capabilities.missingAnswers))

    var parser = InputParser()
    let deadline = ContinuousClock.now + .milliseconds(answerTime)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while capabilities.missingAnswers > 0 {
      let left = Int32((deadline - .now) / .milliseconds(1))
      var ready = pollfd(fd: teletype.descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&ready, 1, left) > 0 else { break }
      let count = read(teletype.descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      for case .reply(let reply) in parser.feed(bytes[..<count]) { capabilities.add(reply) }
    }
    // A terminal that has not answered by now is not waited for again.
    terminal_guard_await_answers(0)
  }
}
