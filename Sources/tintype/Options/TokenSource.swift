import ArgumentParser
import Configuration
import Foundation
import Gallery
import Synchronization

/// The place of a secret token for a server. No error text contains any of it.
enum TokenSource {
  /// The first line of a file.
  case file(String)
  /// The first line that a command of the shell prints.
  case command(String)
  /// The value of a variable of the environment.
  case variable(String)

  private static let longest = 1 << 16

  /// The variable that has a token, or nil if it is not set.
  static var environment: TokenSource? {
    let value = ProcessInfo.processInfo.environment["TINTYPE_TOKEN"] ?? ""
    return value.isEmpty ? nil : .variable(value)
  }

  /// Reads the token.
  /// - Parameter mayAsk: Whether a command may ask for a password in the terminal, which a gallery does not have on its screen.
  /// - Throws: `ValidationError` if there is no valid token.
  func read(mayAsk: Bool = true) throws -> String {
    switch self {
    case .file(let path):
      return try Self.token(
        try Self.contents(of: path), or: "The first line of \(path.printable) is not a valid token.")
    case .command(let command):
      return try Self.token(
        try Self.output(of: command, mayAsk: mayAsk),
        or: "The first line that “\(command.printable)” prints is not a valid token.")
    case .variable(let value):
      return try Self.token(Data(value.utf8), or: "TINTYPE_TOKEN is not a valid token.")
    }
  }

  /// Returns whether a header field's value consists of characters that may be sent.
  static func isSendable(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  private static func token(_ data: Data, or fault: String) throws -> String {
    let line = data.prefix(longest).prefix { $0 != UInt8(ascii: "\n") }
    let token = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty, isSendable(token) else {
      throw ValidationError("\(fault) Write the token there, and nothing else.")
    }
    return token
  }

  private static func contents(of path: String) throws -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ValidationError("\(path.printable) cannot be opened (\(String(cString: strerror(errno)))).")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw ValidationError("\(path.printable) is not a file.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ValidationError(
        "Others may read the token in \(path.printable). Run chmod 600 on it, then start again.")
    }
    return try file.read(upToCount: longest) ?? Data()
  }

  private static func output(of command: String, mayAsk: Bool) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    if !mayAsk {
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    do {
      try process.run()
      let data = try output.fileHandleForReading.read(upToCount: longest) ?? Data()
      // A command that writes more must not wait for a reader.
      try output.fileHandleForReading.close()
      process.waitUntilExit()
      if process.terminationStatus == 0 { return data }
      throw ValidationError(
        "“\(command.printable)” ended with status \(process.terminationStatus). Try it in the shell.")
    } catch let error as ValidationError {
      throw error
    } catch {
      throw ValidationError("“\(command.printable)” can't be run.")
    }
  }
}

/// The keys of the servers that were opened in this session, by which their other photos are opened, too.
enum ServerKeys {
  private static let keys = Mutex<[String: String]>([:])

  /// Whether no server was opened. A key of the environment is for the first one.
  static var isEmpty: Bool { keys.withLock(\.isEmpty) }

  /// The key of a server with this address of its API; nil if it has none.
  static subscript(api: String) -> String? {
    get { keys.withLock { $0[api] } }
    set { keys.withLock { $0[api] = newValue } }
  }
}

extension NamedSource {
  /// The place of the token for the server; nil if it requires none.
  var token: TokenSource? { tokenFile.map { .file($0) } ?? tokenCommand.map { .command($0) } }
}
