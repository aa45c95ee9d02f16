import Foundation
import Harness
import TestLimit
import Testing

/// The files of the Debian package and the archives. `make check-deb` builds, checks and installs the package itself.
@Suite(.fewAtOnce, .limited) struct PackagingTests {
  @Test func allPackagesHaveTheVersionOfTheProgram() async throws {
    let version = try await run([Program.path, "--version"]).text.trimmingCharacters(in: .newlines)
    try #require(!version.isEmpty)
    let result = try await run(["make", "--dry-run", "deb", "tarball", "dist"])
    #expect(result.text.contains("./tools/build-deb .build/packages/deb \(version) "), "\(result.text)")
    #expect(result.text.contains("/tintype-\(version)-linux-"))
    #expect(result.text.contains(".build/packages/tintype-\(version).tar.xz"))
    let changes = try String(contentsOf: checkout.appending(path: "CHANGELOG.md"), encoding: .utf8)
    #expect(changes.contains("\n## \(version),"))
  }

  /// A release that is built again has the same sources.
  @Test func theSwiftPackagesHaveExactVersions() async throws {
    let manifest = try String(contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)
    let packages = manifest.split(separator: "\n").filter { $0.contains(".package(url:") }
    #expect(packages.count > 3)
    for package in packages { #expect(package.contains(/, exact: "\d+\.\d+\.\d+"\)/), "\(package)") }
  }

  /// The workflow of a release attaches what `make release` makes.
  @Test func aReleaseHasAllPackagesAndTheirChecksums() async throws {
    let commands = try await run(["make", "--dry-run", "release"]).text
    for command in [
      "tools/build-deb", "tools/build-tarball", "git -c tar.umask=0022 archive", "sha256sum *.deb *.tar.xz",
    ] {
      #expect(commands.contains(command), "\(command)")
    }
    let workflow = try String(
      contentsOf: checkout.appending(path: ".github/workflows/release.yml"), encoding: .utf8)
    #expect(workflow.contains("run: make release\n"))
  }

  @Test func theCopyrightFileNamesEveryPhotoAndLicense() async throws {
    let text = try await run(["tools/debian-copyright"]).text
    let photos = checkout.appending(path: "Resources/photos").path
    for name in try FileManager.default.contentsOfDirectory(atPath: photos) {
      #expect(text.contains("\nFiles: Resources/photos/\(name)\nCopyright: "))
    }
    let paragraphs = text.components(separatedBy: "\n\n").map { $0.split(separator: "\n") }
    let used = Set(paragraphs.filter { $0.first?.hasPrefix("Files:") == true }.flatMap { $0 }.filter(\.isLicense))
    let explained = paragraphs.filter { $0.count > 1 }.compactMap(\.first).filter(\.isLicense)
    #expect(used.subtracting(explained) == [])
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/desktop-file-validate"),
      "NOT RUN: desktop-file-validate; make check-deb"))
  func theDesktopEntryIsValid() async throws {
    let result = try await run(["desktop-file-validate", "packaging/tintype.desktop"])
    #expect((result.status, result.text) == (0, ""))
  }
}

extension Substring {
  fileprivate var isLicense: Bool { hasPrefix("License: ") }
}
