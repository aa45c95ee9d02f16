import Harness
import TestLimit
import Testing

/// All tests of the harness. They run one after another.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct HarnessTests {}

let environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "PS1": "ready> "]
let standardSize = Size(columns: 80, rows: 24)

/// Runs a shell script in a session.
func shell(_ script: String, size: Size = standardSize, answersQueries: Bool = true) throws -> TerminalSession {
  try TerminalSession(
    "/bin/sh", ["-c", script], size: size, environment: environment, answersQueries: answersQueries)
}

/// Starts a program that prints `text` and runs until it is killed.
func display(_ text: String, size: Size = standardSize) throws -> TerminalSession {
  try TerminalSession(
    "/bin/sh", ["-c", "printf '%s' \"$1\"; exec cat", "sh", text], size: size, environment: environment)
}
