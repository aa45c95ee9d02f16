extension TerminalSession {
  /// Blocks until the screen meets a condition, and returns it. No screen inside a synchronized update (mode 2026) is
  /// tested.
  @discardableResult
  public func wait(
    for description: String, timeout: Duration = defaultTimeout, until condition: (Screen) throws -> Bool
  ) throws -> Screen {
    try screenWait(description, timeout).run(sample: Self.shownScreen) { try Self.accept($0, condition) }
  }

  /// Waits until the screen meets a condition, and returns it. No screen inside a synchronized update (mode 2026) is
  /// tested.
  @discardableResult
  public func wait(
    for description: String, timeout: Duration = defaultTimeout,
    until condition: @escaping @Sendable (Screen) throws -> Bool
  ) async throws -> Screen {
    try await screenWait(description, timeout).onThread { wait in
      try wait.run(sample: Self.shownScreen) { try Self.accept($0, condition) }
    }
  }

  /// Blocks until a row of the screen contains `text`, and returns the screen.
  @discardableResult
  public func waitForText(_ text: String, timeout: Duration = defaultTimeout) throws -> Screen {
    try wait(for: "the text \(text.debugDescription)", timeout: timeout) { $0.contains(text) }
  }

  /// Waits until a row of the screen contains `text`, and returns the screen.
  @discardableResult
  public func waitForText(_ text: String, timeout: Duration = defaultTimeout) async throws -> Screen {
    try await wait(for: "the text \(text.debugDescription)", timeout: timeout) { $0.contains(text) }
  }

  /// Blocks until all the bytes written so far meet a condition, and returns them.
  @discardableResult
  public func waitForOutput(
    _ description: String, timeout: Duration = defaultTimeout, until condition: ([UInt8]) throws -> Bool
  ) throws -> [UInt8] {
    try screenWait(description, timeout).run(sample: \.output) { try condition($0) ? $0 : nil }
  }

  /// Waits until all the bytes written so far meet a condition, and returns them.
  @discardableResult
  public func waitForOutput(
    _ description: String, timeout: Duration = defaultTimeout,
    until condition: @escaping @Sendable ([UInt8]) throws -> Bool
  ) async throws -> [UInt8] {
    try await screenWait(description, timeout).onThread { wait in
      try wait.run(sample: \.output) { try condition($0) ? $0 : nil }
    }
  }

  /// Waits until the images and the screen of the terminal meet a condition, and returns both. Screens inside a
  /// synchronized update are tested too.
  @discardableResult
  public func waitForGraphics(
    _ description: String, timeout: Duration = defaultTimeout,
    until condition: @escaping @Sendable (GraphicsTerminal, Screen) throws -> Bool
  ) async throws -> (GraphicsTerminal, Screen) {
    try await screenWait(description, timeout).onThread { wait in
      try wait.run(sample: { core in core.graphics.map { ($0, core.screen) } }) { sample in
        try sample.flatMap { try condition($0, $1) ? ($0, $1) : nil }
      }
    }
  }

  /// Waits until all answers that are on their way over a slow line have arrived.
  public func waitForAnswers(timeout: Duration = defaultTimeout) async throws {
    _ = try await screenWait("the arrival of all answers", timeout).onThread { wait in
      try wait.run(sample: \.isLineEmpty) { $0 ? true : nil }
    }
  }

  /// Blocks until the program has ended and all of its output has been read.
  @discardableResult
  public func waitForExit(timeout: Duration = defaultTimeout) throws -> ExitStatus {
    try exitWait(timeout).run(sample: \.exitStatus) { $0 }
  }

  /// Waits until the program has ended and all of its output has been read.
  @discardableResult
  public func waitForExit(timeout: Duration = defaultTimeout) async throws -> ExitStatus {
    try await exitWait(timeout).onThread { try $0.run(sample: \.exitStatus) { $0 } }
  }

  private func screenWait(_ description: String, _ timeout: Duration) -> Wait {
    Wait(core: core, description: description, timeout: timeout)
  }

  private func exitWait(_ timeout: Duration) -> Wait {
    Wait(core: core, description: "the end of the program", timeout: timeout, endsWithProgram: false)
  }

  @Sendable private static func shownScreen(_ core: SessionCore) -> Screen? { core.isUpdating ? nil : core.screen }

  private static func accept(_ screen: Screen?, _ condition: (Screen) throws -> Bool) rethrows -> Screen? {
    guard let screen, try condition(screen) else { return nil }
    return screen
  }
}
