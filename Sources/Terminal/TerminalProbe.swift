import CTerminalGuard
import Foundation

/// The size and the capabilities of the terminal that a command prints on, found out without taking its screen.
@MainActor
public struct TerminalProbe {
  /// The extent of the questions about the terminal. Its size is always asked for.
  public enum Question: Hashable, Sendable {
    /// Only the kernel is asked about the size.
    case nothing
    /// The environment is asked, and a multiplexer that is in between. The terminal gets no question, as another program reads
    /// its answers.
    case environment
    /// The terminal itself is asked.
    case terminal
  }

  /// The terminal's size in cells.
  public let size: Size
  /// The capabilities that the terminal has answered.
  public let capabilities: Capabilities
  /// Whether the terminal has been asked.
  public let wasAsked: Bool
  /// The ids of the images that previews send to this terminal.
  public let previewIDs: PreviewIDs

  /// Asks about the terminal behind the standard output, and waits some seconds at most for its answers. The shell would
  /// take later ones for typed text. A process in the background asks no terminal, which would stop it.
  /// - Parameters:
  ///   - isOutputElsewhere: Whether the standard output may be something else, so that the process's terminal is asked.
  ///   - aboutColors: The question about colors.
  /// - Throws: ``TerminalError`` if there is no terminal.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, question: Question,
    isOutputElsewhere: Bool = false, aboutColors: ColorQuestion?
  ) throws(TerminalError) {
    let teletype = try Teletype(isOutputElsewhere: isOutputElsewhere)
    size = teletype.size
    previewIDs = PreviewIDs(device: teletype.deviceNumber)
    var capabilities = Capabilities(environment: environment)
    capabilities.kernelCellSize = teletype.cellSize
    wasAsked = question == .terminal && environment["TERM"] != "dumb" && teletype.isInForeground
    if wasAsked {
      try Self.ask(teletype, environment, aboutColors, &capabilities)
    } else if question != .nothing {
      capabilities.suppose(environment: environment)
    }
    if wasAsked || question == .environment, capabilities.hasOuterTerminal {
      capabilities.add(OuterTerminal.ask(environment: environment))
    }
    self.capabilities = capabilities
  }

  private static func ask(
    _ teletype: Teletype, _ environment: [String: String], _ colorQuestion: ColorQuestion?,
    _ capabilities: inout Capabilities
  ) throws(TerminalError) {
    var original = try teletype.attributes()
    var raw = original.raw
    var wasEntered = false
    guard terminal_guard_start(teletype.descriptor, &original, &raw) >= 0, terminal_guard_enter(&wasEntered) == 0 else {
      throw .systemCallFailed("tcsetattr", reason: String(cString: strerror(errno)))
    }
    defer { terminal_guard_leave() }
    var file: String?
    defer { if let file { QuestionFile.remove(file) } }
    var parser = InputParser()
    while let questions = capabilities.nextQuestions(
      file: {
        file = QuestionFile.make(environment: environment)
        return file
      }, aboutColors: colorQuestion)
    {
      terminal_guard_await_answers(true)
      let deadline = ContinuousClock.now + .milliseconds(TERMINAL_GUARD_ANSWER_MILLISECONDS)
      // If the terminal has not read all of it by then, there will be no answers.
      guard write(questions, to: teletype.descriptor, until: deadline) else { break }
      while capabilities.missingAnswers > 0, let bytes = read(from: teletype.descriptor, until: deadline) {
        for case .reply(let reply) in parser.feed(bytes) { capabilities.add(reply) }
      }
      // The guard would wait until the same deadline.
      terminal_guard_await_answers(false)
    }
  }

  /// Writes bytes.
  /// - Returns: Whether all of them were written in time.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, waits(for: POLLOUT, on: descriptor, until: deadline) {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR || errno == EAGAIN else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return rest.isEmpty
  }

  /// Returns the bytes that have come; nil if none came in time, or if the terminal has gone.
  private static func read(from descriptor: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    guard waits(for: POLLIN, on: descriptor, until: deadline) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Waits until a descriptor is ready.
  /// - Returns: Whether it is ready before the deadline.
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
