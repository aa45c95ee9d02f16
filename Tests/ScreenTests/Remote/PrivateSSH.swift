import Foundation
import Harness

/// An ssh server for one test, which runs the program under test in a home folder of its own. It has no port: ssh starts it and
/// talks to it through a pipe.
final class PrivateSSH {
  /// The folder of the server's user, in which relative paths begin.
  let home: URL
  private let folder: URL

  /// The name of the machine.
  static let machine = "nas"

  /// - Parameter line: The words of a command that stands between ssh and the server, such as a slow line.
  init(line: [String] = []) throws {
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
        ProxyCommand \((line + ["/usr/sbin/sshd", "-i", "-f", "\(folder.path)/server"]).joined(separator: " "))
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

  /// Kills the programs of the server, and so the connections.
  func killServers() throws {
    for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let id = pid_t(entry),
        let environment = FileManager.default.contents(atPath: "/proc/\(entry)/environ"),
        let command = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline"),
        environment.range(of: Data("HOME=\(home.path)\0".utf8)) != nil, command.range(of: Data("serve\0".utf8)) != nil
      else { continue }
      kill(id, SIGKILL)
    }
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    try process.run()
    process.waitUntilExit()
  }
}
