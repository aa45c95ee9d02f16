import Foundation
import GRDB
import Harness

/// An ssh server for one test, which runs the program under test in a home folder of its own. It has no port: ssh starts it and
/// talks to it through a pipe.
final class PrivateSSH {
  /// The folder of the server's user, in which relative paths begin.
  let home: URL
  /// The folder of both sides.
  let folder: URL

  /// The name of the machine.
  static let machine = "nas"

  /// A process on one of the two sides.
  enum Side {
    /// The program of the server.
    case server
    /// ssh on this side.
    case client
  }

  /// - Parameter line: The slow line between ssh and the server, or nil if there is none.
  init(line: Line? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    home = folder.appending(path: "home")
    let programs = folder.appending(path: "home/.local/bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: programs.appending(path: "tintype").path, withDestinationPath: Program.path)
    for key in ["host", "user"] {
      try Self.run("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.appending(path: key).path)
    }
    // As root, sshd wants the folder that its service has.
    if geteuid() == 0 {
      try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    let server = """
      HostKey \(folder.path)/host
      AuthorizedKeysFile \(folder.path)/user.pub
      StrictModes no
      UsePAM no
      PermitRootLogin yes
      PidFile none
      SetEnv HOME=\(home.path) XDG_STATE_HOME=\(home.path)/state XDG_CACHE_HOME=\(home.path)/cache TZ=UTC LANG=C.UTF-8
      """
    let client = """
      Host \(Self.machine)
        ProxyCommand \((Self.words(line) + ["/usr/sbin/sshd", "-i", "-f", "\(folder.path)/server"]).joined(separator: " "))
        IdentityFile \(folder.path)/user
        IdentitiesOnly yes
        StrictHostKeyChecking no
        UserKnownHostsFile /dev/null
        LogLevel ERROR
      """
    try Data((server + "\n").utf8).write(to: folder.appending(path: "server"))
    try Data((client + "\n").utf8).write(to: folder.appending(path: "client"))
  }

  /// The changes to the environment of a gallery that uses the server.
  var changes: [String: String?] {
    var changes = Program.changes(home: folder.appending(path: "near"))
    changes["TINTYPE_SSH_COMMAND"] = "ssh -F \(folder.path)/client"
    return changes
  }

  /// Removes the program from the server.
  func removeProgram() throws {
    try FileManager.default.removeItem(at: home.appending(path: ".local/bin/tintype"))
  }

  /// Adds a script in place of the program on the server.
  func replaceProgram(by script: String) throws {
    try removeProgram()
    let path = home.appending(path: ".local/bin/tintype").path
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(("#!/bin/sh\n" + script).utf8), attributes: [.posixPermissions: 0o755])
  }

  /// Sends a signal to all processes of a side.
  func send(_ signal: Int32, to side: Side) throws { for id in try processes(of: side) { kill(id, signal) } }

  /// Kills the programs of the server, and so the connections.
  func killServers() throws { try send(SIGKILL, to: .server) }

  /// The processes of a side.
  func processes(of side: Side) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { id in
      func has(_ text: String, in file: String) -> Bool {
        Self.contents(ofProcess: id, file).range(of: Data(text.utf8)) != nil
      }
      return switch side {
      case .server: has("serve\0", in: "cmdline") && has("HOME=\(home.path)\0", in: "environ")
      case .client: has("\(folder.path)/client\0", in: "cmdline")
      }
    }
  }

  /// Returns what a file of a process has. Foundation leaks memory for each file that the kernel makes up.
  private static func contents(ofProcess id: pid_t, _ file: String) -> Data {
    let descriptor = open("/proc/\(id)/\(file)", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &bytes, bytes.count)
    return Data(bytes.prefix(max(0, count)))
  }

  /// The words of the command for a slow line.
  private static func words(_ line: Line?) -> [String] {
    guard let line else { return [] }
    let script = URL(filePath: #filePath).appending(path: "../../../../tools/line.py").standardized
    return [
      "/usr/bin/python3", script.path, "--rate", "\(line.bytesPerSecond / 1000)",
      "--rtt", "\(Int(line.roundTrip / .milliseconds(1)))",
    ]
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    try process.run()
    process.waitUntilExit()
  }
}

// The journals of both machines.
extension PrivateSSH {
  /// The calls that the gallery here has not delivered: their tokens, and the number of steps in each.
  func outgoing() throws -> [(token: String, count: Int)] {
    try readJournal(in: "near/STATE") { db in
      try Row.fetchAll(db, sql: "SELECT token, content FROM outgoingCall").map { row in
        let content: Data = row["content"]
        return (row["token"], (try JSONSerialization.jsonObject(with: content) as? [Any])?.count ?? 0)
      }
    } ?? []
  }

  /// Reads the journal in a folder for state; returns nil if there is none.
  func readJournal<Value>(in state: String, _ body: (Database) throws -> Value) throws -> Value? {
    let path = home.deletingLastPathComponent().appending(path: "\(state)/tintype/journal.sqlite").path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    // Another process may write at this moment. If one was killed while it wrote, this connection undoes what it wrote, as that
    // of the program does.
    return try? DatabaseQueue(path: path).read(body)
  }
}
