import Foundation
import Testing

/// `tools/install-packages` with substitutes for other commands, which log how they were called.
@Suite(.fewAtOnce) struct PackageTests {
  private let folder: UnquotableFolder

  init() async throws {
    folder = try UnquotableFolder()
    try await pretend("swift", "echo 'Swift version 6.2.1 (swift-6.2.1-RELEASE)'")
    try await pretend("id", "echo 1000")
    try await pretend("sudo", #"echo "sudo $*" >> "$LOG"; exec "$@""#)
    try await pretend("dpkg-query", "echo 'installed base-files, '")
    try await pretend("apt-get", aptGet(knowsPackages: true))
  }

  /// Creates a script in place of a command.
  ///
  /// A shell writes the script. If this process wrote it, a program that another test starts at the same time could
  /// inherit the open file, and the script could not be run ("text file busy").
  private func pretend(_ command: String, _ script: String) async throws {
    let write = #"mkdir -p "${1%/*}" && printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#
    let result = try await run(["sh", "-c", write, "sh", folder.path("commands/\(command)"), script])
    try #require(result.status == 0, "\(result.text)")
  }

  /// Returns the script of an apt-get, which may know packages only after an update.
  private func aptGet(knowsPackages: Bool) -> String {
    """
    case "$*" in
      *--assume-no*)
        [ \(knowsPackages) = true ] || [ -e "$LOG" ] || exit 100
        echo '0 upgraded, 266 newly installed, 0 to remove and 3 not upgraded.'
        echo 'Need to get 213 MB/214 MB of archives.'
        echo 'After this operation, 950 MB of additional disk space will be used.'
        exit 1 ;;
      *) echo "Progress: [ 40%]" ;;
    esac
    """
  }

  private func install(_ packages: [String]) async throws -> (status: Int32, text: String) {
    try await run(
      ["tools/install-packages"] + packages,
      changes: ["PATH": "\(folder.path("commands")):/usr/bin:/bin", "LOG": folder.path("log")])
  }

  /// The commands that the script ran as root.
  private var commands: [String] {
    let log = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
    return log.split(separator: "\n").map(String.init)
  }

  @Test func aPackageThatAnotherProvidesCountsAsInstalled() async throws {
    try await pretend(
      "dpkg-query",
      """
      case "$*" in
        *'${Provides}'*) echo 'installed libncurses-dev, libncurses5-dev (= 6.5), libncursesw5-dev (= 6.5)' ;;
        *) echo 'installed libncurses-dev, ' ;;
      esac
      echo 'installed zlib1g-dev, libz-dev'
      echo 'config-files tmux, '
      """)
    let result = try await install(["libncursesw5-dev", "libncurses-dev", "libz-dev", "zlib1g-dev"])
    #expect((result.status, result.text) == (0, ""))
    #expect(commands == [])
    #expect(try await install(["tmux"]).text.contains("tmux"))
  }

  @Test(arguments: [true, false])
  func packagesAndTheirSizeAreReported(knowsPackages: Bool) async throws {
    try await pretend("apt-get", aptGet(knowsPackages: knowsPackages))
    let result = try await install(["libvips-dev", "tmux"])
    #expect(result.status == 0)
    for text in [
      "  libvips-dev          decodes images", "With their dependencies: 266 packages",
      "213 MB/214 MB to download, 950 MB on disk", "Progress: [ 40%]",
    ] {
      #expect(result.text.contains(text), "\(result.text)")
    }
    let apt = "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
    let installing = "\(apt) install -y --no-install-recommends libvips-dev tmux"
    #expect(commands == (knowsPackages ? [installing] : ["\(apt) update", installing]))
  }

  @Test(arguments: [
    ("exit 127", "no Swift toolchain on the PATH; install Swift 6.2 or newer: https://www.swift.org/install/linux/"),
    (
      "echo 'Swift version 6.1.2 (swift-6.1.2-RELEASE)'",
      "Swift 6.1 is too old; install Swift 6.2 or newer: https://www.swift.org/install/linux/"
    ),
  ])
  func nothingIsInstalledWithoutAToolchain(swift: String, message: String) async throws {
    try await pretend("swift", swift)
    let result = try await install(["libvips-dev"])
    #expect((result.status, result.text) == (1, "tintype: \(message)\n"))
    #expect(commands == [])
  }

  @Test(arguments: [
    "Swift version 6.2 (swift-6.2-RELEASE)", "Swift version 6.10-dev (LLVM 1, Swift 2)", "Swift version 7.0",
  ])
  func newerToolchainsAreAccepted(version: String) async throws {
    try await pretend("swift", "echo '\(version)'")
    #expect(try await install(["base-files"]).status == 0)
  }

  @Test func everyPackageHasAReason() async throws {
    for target in ["test-packages", "bench", "screenshot", "check-deb"] {
      let calls = try await run(["make", "--dry-run", target]).text.split(separator: "\n")
        .filter { $0.contains("tools/install-packages") }
      #expect(!calls.isEmpty)
      for call in calls {
        let packages = call.split(separator: " ").dropFirst().map(String.init)
        let lines = try await install(packages).text.split(separator: "\n")
        for package in packages {
          let line = lines.first { $0.hasPrefix("  \(package) ") }
          #expect(line?.split(separator: " ").count ?? 0 > 2, "\(package) has no reason")
        }
      }
    }
  }
}
