import Foundation
import Harness
import TestLimit
import Testing

/// `tools/install-packages` with substitutes for other commands, which log how they were called.
@Suite(.fewAtOnce, .limited) struct PackageTests {
  private let folder: UnquotableFolder

  init() async throws {
    folder = try UnquotableFolder()
    try await pretend("swift", "echo 'Swift version 6.2.1 (swift-6.2.1-RELEASE)'")
    try await pretend("id", "echo 1000")
    try await pretend("sudo", #"echo "sudo $*" >> "$LOG"; exec "$@""#)
    try await pretend("dpkg-query", "echo 'installed base-files, '")
    try await pretend("apt-get", aptGet(knowsPackages: true))
    try await pretend("apt-cache", "exit 100")
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
      *--print-uris*)
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
    let installing = Self.installing("libvips-dev tmux")
    #expect(commands == (knowsPackages ? [installing] : [Self.updating, installing]))
  }

  /// The commands that the script runs as root.
  private static let updating = "sudo env LC_ALL=C apt-get update"
  private static func installing(_ packages: String) -> String {
    "sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "
      + packages
  }

  /// `apt-get` waits for the lock of dpkg, but ends at once if another one updates the package lists.
  @Test func anUpdateWaitsForAnotherOne() async throws {
    try await pretend(
      "apt-get",
      """
      case "$*" in
        *--print-uris*) exit 100 ;;
        update)
          [ "$(grep -c update "$LOG")" -lt 3 ] || exit 0
          echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 23466' >&2
          exit 100 ;;
      esac
      """)
    try await pretend("sleep", #"echo "sleep $*" >> "$LOG""#)
    let result = try await install(["tmux"])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.components(separatedBy: "Waiting for another apt").count == 2, "\(result.text)")
    #expect(
      commands == [Self.updating, "sleep 2", Self.updating, "sleep 2", Self.updating, Self.installing("tmux")])
  }

  @Test func anUpdateThatFailsIsReported() async throws {
    try await pretend(
      "apt-get", "case \"$*\" in update) echo 'E: The repository is not signed.' >&2; esac; exit 100")
    try await pretend("sleep", ":")
    let result = try await install(["tmux"])
    #expect(result.status == 1)
    #expect(result.text.hasSuffix("E: The repository is not signed.\n"), "\(result.text)")
    #expect(commands == [Self.updating])
  }

  /// Clang uses the newest GCC of the machine. Without one, the distribution's own is installed.
  @Test(arguments: [
    ("", "libstdc++-12-dev"), ("libgcc-9-dev libgcc-14-dev", "libstdc++-14-dev"),
    ("libgcc-12-dev libstdc++-12-dev libgcc-14-dev", "libstdc++-14-dev"), ("libgcc-12-dev libstdc++-12-dev", nil),
  ])
  func theLibraryOfTheNewestCompilerIsInstalled(installed: String, package: String?) async throws {
    let packages = installed.split(separator: " ")
    try await pretend(
      "dpkg-query", packages.map { "echo 'installed \($0), libstdc++-dev'" }.joined(separator: "\n") + "\n:")
    try await pretend("apt-cache", "echo 'g++'; echo '  Depends: gcc'; echo '  Depends: g++-12'")
    let result = try await install(["libstdc++-dev"])
    #expect(result.status == 0, "\(result.text)")
    #expect(commands == (package.map { [Self.installing($0)] } ?? []))
  }

  private static let page = "https://www.swift.org/install/linux/"

  @Test(arguments: [
    ("echo 'Swift version 6.1.2 (swift-6.1.2-RELEASE)'", "Swift 6.1 is too old; install Swift 6.2 or newer: \(page)"),
    (
      "echo 'error: no toolchain is selected' >&2; exit 1",
      "the Swift toolchain can't start: error: no toolchain is selected\n\(page) says what the toolchain needs."
    ),
  ])
  func nothingIsInstalledWithoutAToolchain(swift: String, message: String) async throws {
    try await pretend("swift", swift)
    let result = try await install(["libvips-dev"])
    #expect((result.status, result.text) == (1, "tintype: \(message)\n"))
    #expect(commands == [])
  }

  @Test func aMissingToolchainIsReported() async throws {
    try FileManager.default.removeItem(atPath: folder.path("commands/swift"))
    let result = try await install(["libvips-dev"])
    let message = "no Swift toolchain on the PATH; install Swift 6.2 or newer: \(Self.page)"
    #expect((result.status, result.text) == (1, "tintype: \(message)\n"))
    #expect(commands == [])
  }

  /// The end of a `swift` that needs a library.
  private static func lacking(_ library: String) -> String {
    "echo 'swift: error while loading shared libraries: \(library): cannot open shared object file' >&2; exit 127"
  }

  /// A toolchain on a bare system lacks libraries that the packages bring.
  @Test func aToolchainThatCannotStartGetsItsLibraries() async throws {
    try await pretend(
      "swift", #"grep -qs install "$LOG" && echo 'Swift version 6.2' && exit; "# + Self.lacking("libncurses.so.6"))
    let result = try await install(["libncurses-dev"])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.hasPrefix("The Swift toolchain can't start yet, because it lacks libncurses.so.6.\n"))
    #expect(commands == [Self.installing("libncurses-dev")])
  }

  @Test func aToolchainThatStartsLaterMayBeTooOld() async throws {
    try await pretend(
      "swift", #"grep -qs install "$LOG" && echo 'Swift version 6.1' && exit; "# + Self.lacking("libncurses.so.6"))
    let result = try await install(["libncurses-dev"])
    #expect(result.status == 1)
    #expect(result.text.hasSuffix("Swift 6.1 is too old; install Swift 6.2 or newer: \(Self.page)\n"), "\(result.text)")
  }

  @Test(arguments: [
    ("libncurses.so.6", "libncurses6"), ("libsqlite3.so.0", "libsqlite3-0"), ("libxml2.so.2", "libxml2"),
    ("libother.so.1", nil),
  ])
  func aToolchainThatStillCannotStartIsReported(library: String, package: String?) async throws {
    try await pretend("swift", Self.lacking(library))
    try await pretend("apt-cache", #"case $2 in libncurses6 | libsqlite3-0 | libxml2) ;; *) exit 100 ;; esac"#)
    let help =
      package.map { "Install the package \($0), which has this library." }
      ?? "\(Self.page) says what the toolchain needs."
    let message = """
      tintype: the Swift toolchain can't start: swift: error while loading shared libraries: \(library): cannot open \
      shared object file
      \(help)

      """
    // Once after an installation, and once with nothing to install.
    for packages in ["tmux", "base-files"] {
      let result = try await install([packages])
      #expect(result.status == 1)
      #expect(result.text.hasSuffix(message), "\(result.text)")
    }
    #expect(commands == [Self.installing("tmux")])
  }

  @Test(arguments: [
    "Swift version 6.2 (swift-6.2-RELEASE)", "Swift version 6.10-dev (LLVM 1, Swift 2)", "Swift version 7.0",
  ])
  func newerToolchainsAreAccepted(version: String) async throws {
    try await pretend("swift", "echo '\(version)'")
    #expect(try await install(["base-files"]).status == 0)
  }

  /// A package that some releases lack, such as an encoder that is a part of its library there.
  @Test func aPackageThatOnlySomeReleasesHaveIsInstalledThere() async throws {
    #expect(try await install(["libheif-plugin-aomenc?"]).text == "")
    #expect(commands == [])
    // apt knows it only after an update.
    try await pretend("apt-get", aptGet(knowsPackages: false))
    try await pretend("apt-cache", #"[ -e "$LOG" ]"#)
    _ = try await install(["tmux", "libheif-plugin-aomenc?"])
    #expect(commands == [Self.updating, Self.installing("tmux libheif-plugin-aomenc")])
    #expect(try await install(["libheif-plugin-aomenc?"]).text.contains("encodes AVIF"))
    #expect(commands.last == Self.installing("libheif-plugin-aomenc"))
  }

  @Test func everyPackageHasAReason() async throws {
    try await pretend("apt-cache", "exit 0")
    for target in ["test-packages", "bench", "screenshot", "check-deb", "check-bare"] {
      let calls = try await run(["make", "--dry-run", target]).text.split(separator: "\n")
        .filter { $0.contains("tools/install-packages") }
      #expect(!calls.isEmpty)
      for call in calls {
        let packages = call.split(separator: " ").dropFirst().map(String.init)
        let lines = try await install(packages).text.split(separator: "\n")
        for package in packages {
          let name = package.replacing("?", with: "")
          let line = lines.first { $0.hasPrefix("  \(name) ") }
          #expect(line?.split(separator: " ").count ?? 0 > 2, "\(package) has no reason")
        }
      }
    }
  }
}
