import Testing

/// What answers a key comes before what takes its time to be drawn.
@Suite struct FirstFrameTests {
  private static let size = Size(columns: 120, rows: 36)

  @Test func theHighlightedRowComesBeforeALargePicture() async throws {
    let session = try Program.start("--delay", "0", "--pictures", "symbols")
    defer { session.close() }
    // Both pictures are there by now, so that nothing but the order keeps one from being drawn.
    let first = try await picture(of: "1/20", in: session) { _ in true }
    session.type("j")
    let second = try await picture(of: "2/20", in: session) { $0 != first }
    session.type("k")
    _ = try await picture(of: "1/20", in: session) { $0 == first }
    let start = session.output.count
    session.type("j")
    _ = try await picture(of: "2/20", in: session) { $0 == second }

    let output = session.output
    let end = try #require(output[start...].firstRange(of: Array("\u{1B}[?2026l".utf8))?.upperBound)
    let terminal = Emulator(size: Self.size)
    _ = terminal.feed(output[..<end])
    #expect(terminal.screen().contains("2/20"), "the first frame does not answer the key")
    #expect(terminal.screen().picture == first, "the first frame does not leave the picture as it was")
  }

  /// Waits for a row's detail with a large picture that meets a condition.
  private func picture(
    of row: String, in session: TerminalSession, where condition: @escaping @Sendable ([[Cell]]) -> Bool
  ) async throws -> [[Cell]] {
    try await session.wait(for: "the picture of \(row)") { screen in
      let picture = screen.picture
      return screen.contains(row) && picture.joined().count { $0.background != .default } > 400 && condition(picture)
    }.picture
  }
}

extension Screen {
  /// The place of the detail's picture.
  fileprivate var picture: [[Cell]] { cells[5..<24].map { Array($0[50..<119]) } }
}
