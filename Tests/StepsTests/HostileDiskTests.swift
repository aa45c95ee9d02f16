import Foundation
import TestLimit
import Testing
import Torture

@testable import Steps

/// A namespace of a process, in which it may mount disks.
private enum MountNamespace {
  /// The ways to get one: as a user, and as root where users get none.
  private static let ways = [["-rm"], ["-m"]]

  /// The options of `unshare`; nil if no disks can be mounted.
  static let options: [String]? = ways.first { options in
    let mount = ["mount", "-t", "tmpfs", "none", FileManager.default.temporaryDirectory.path]
    return (try? run(mount, options: options))?.status == 0
  }

  static func run(_ command: [String], options: [String]) throws -> (status: Int32, text: String) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = options + command
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

/// Random steps on disks that get full, read-only or lost, and in folders that are replaced by links, in the middle of them. The
/// program `torture-steps` makes them in a namespace of its own.
@Suite(
  .limited, .enabled(if: MountNamespace.options != nil, "NOT RUN: no disks can be mounted, not even in a namespace"))
struct HostileDiskTests {
  private func torture(seed: Int, rounds: Int, copies: Int) throws {
    // Also root has to obey permissions.
    let rights = "-dac_override,-dac_read_search"
    let command = ["setpriv", "--bounding-set=\(rights)", "--inh-caps=\(rights)", KilledStepsTests.program.path]
    let result = try MountNamespace.run(
      command + ["\(seed)", "\(rounds)", "\(copies)"], options: try #require(MountNamespace.options))
    print(result.text)
    #expect(result.status == 0, "\(result.text)")
  }

  /// When the disks are as before, undoing everything gives back the folders.
  @Test(arguments: Torture.blocks(1, long: 20)) func everythingIsUndoneOnHostileDisksTorture(block: Int) throws {
    try torture(seed: block * 10, rounds: Torture.rounds(4, long: 10), copies: 1)
  }

  /// The folder is replaced by a link between the copies of a photo and of its sidecar.
  @Test func aSidecarIsNotImportedIntoAnotherFolder() throws { try torture(seed: 30, rounds: 1, copies: 1) }

  /// The disk is unmounted while a photo is moved to it.
  @Test func noCopyStaysOnADiskThatIsTakenAway() throws { try torture(seed: 86, rounds: 1, copies: 1) }

  /// The steps of two copies of the program may be in each other's way, but no photo is lost or replaced.
  @Test(arguments: Torture.blocks(1, long: 20)) func noPhotoIsLostOnHostileDisksTorture(block: Int) throws {
    try torture(seed: block * 10, rounds: Torture.rounds(4, long: 10), copies: 2)
  }
}
