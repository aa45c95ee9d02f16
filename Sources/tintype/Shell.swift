import ArgumentParser
import Foundation
import Gallery
import WorkerPool

/// The program as the shell sees it: its output and its end.
enum Shell {
  /// Opens standard descriptors that are closed, so that no file opened later, such as a database, takes their place.
  static func openStandardDescriptors() {
    while case let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC), descriptor >= 0 {
      if descriptor > STDERR_FILENO {
        close(descriptor)
        return
      }
    }
  }

  /// Writes a text and a line break. Control characters in the text are made visible.
  static func print(_ text: String, to output: FileHandle = .standardOutput) {
    try? output.write(contentsOf: Data((text.printableLines + "\n").utf8))
  }

  /// Writes bytes for the terminal.
  static func write(_ bytes: [UInt8]) throws { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) }

  /// Prints an error and ends the process. ArgumentParser reports a request for help as an error, too.
  static func exit(printing error: any Error, of command: any ParsableCommand.Type) -> Never {
    let code = command.exitCode(for: error)
    let message = command.fullMessage(for: error)
    if !message.isEmpty { print(message, to: code == .success ? .standardOutput : .standardError) }
    Foundation.exit(code.rawValue)
  }

  /// Runs `body` on the main actor, and ends the process with its result. If `body` throws, the error is printed.
  static func run(_ command: any ParsableCommand.Type, _ body: @escaping @MainActor () async throws -> Int32) -> Never {
    Task.onMainActor {
      do {
        Foundation.exit(try await body())
      } catch {
        exit(printing: error, of: command)
      }
    }
    serveMainQueue()
  }

  /// Serves the main queue, with all its sources, for as long as the process runs. Sleeps while there is nothing to do.
  static func serveMainQueue() -> Never {
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
}
