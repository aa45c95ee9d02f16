import CTerminalGuard
import Glibc
import TestLimit
import Testing

@testable import Harness

/// Reading from a terminal that blocks, as it does after a stop (Ctrl-Z) until the program has taken it again.
@Suite(.limited) struct GuardReadingTests {
  private func read(_ terminal: PseudoTerminal) -> (bytes: [UInt8], error: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = terminal_guard_read(terminal.slave, &bytes, bytes.count)
    return count < 0 ? ([], errno) : (Array(bytes[..<count]), 0)
  }

  @Test func readingNeverWaitsForALine() throws {
    var terminal = try PseudoTerminal(size: Size(columns: 80, rows: 24), pixelsPerCell: nil)
    defer { terminal.close() }
    #expect(fcntl(terminal.slave, F_GETFL) & O_NONBLOCK == 0)
    #expect(read(terminal) == ([], EAGAIN))
    // A line that is not complete can't be read in the mode of a shell.
    write(terminal.master, "q", 1)
    #expect(read(terminal) == ([], EAGAIN))
    write(terminal.master, "\n", 1)
    #expect(read(terminal) == (Array("q\n".utf8), 0))
  }
}
