import Foundation
import Harness
import TestLimit
import Testing

/// `make install` with the programs that were built for the tests. `make check-install` tests the release build.
@Suite(.fewAtOnce, .limited) struct InstallTests {
  private let folder: UnquotableFolder

  /// The folder of the release build to install; nil for the build of the tests.
  private static let release = ProcessInfo.processInfo.environment["TINTYPE_INSTALL"]

  private static let built = release ?? URL(filePath: Program.path).deletingLastPathComponent().path

  /// An environment with the PATH of sudo, on which there is no toolchain.
  private static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "HOME": "/nonexistent"]

  init() throws { folder = try UnquotableFolder() }

  private func make(_ arguments: String...) async throws -> (status: Int32, text: String) {
    let settings = ["BUILT=\(Self.built)", "DESTDIR=\(folder.url.path)", "PREFIX=/opt/my programs"]
    return try await run(
      ["sh", "-c", "umask 077; exec make \"$@\"", "sh"] + settings + arguments, changes: Self.environment)
  }

  private func installed(_ name: String) -> String { folder.path("opt/my programs/\(name)") }

  /// Installs everything and returns the permissions of the installed files and folders by path.
  private func install() async throws -> [String: Int] {
    let result = try await make("install")
    try #require(result.status == 0, "\(result.text)")
    let root = installed("")
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
        return (name, try #require(attributes[.posixPermissions] as? Int))
      })
  }

  /// The manual page, and the completions that the program writes itself.
  private static let generated = [
    "share/man/man1/tintype.1", "share/bash-completion/completions/tintype", "share/zsh/site-functions/_tintype",
    "share/fish/vendor_completions.d/tintype.fish",
  ]

  @Test func installedFilesAreReadableForEveryUser() async throws {
    let files = try await install()
    let programs = ["bin/tintype", "libexec/tintype/tintype-pictures"]
    let others =
      [
        "libexec/tintype/libtintype-vips.so", "libexec/tintype/libtintype-video.so",
        "libexec/tintype/libtintype-raw.so", "libexec/tintype/libtintype-archive.so", "share/doc/tintype/LICENSE",
        "share/applications/tintype.desktop",
        "share/icons/hicolor/scalable/apps/tintype.svg",
      ] + Self.generated
    for name in programs + others {
      #expect(files[name] != nil, "\(name) is missing")
    }
    let bundled = try FileManager.default.subpathsOfDirectory(atPath: checkout.appending(path: "Resources").path)
    for name in bundled where !name.hasSuffix(".swift") {
      #expect(files["share/tintype-gallery/\(name)"] != nil, "\(name) is missing")
    }
    for (name, permissions) in files {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: installed(name), isDirectory: &isFolder)
      #expect(permissions == (isFolder.boolValue || programs.contains(name) ? 0o755 : 0o644), "\(name)")
    }
  }

  @Test func uninstallLeavesOtherFiles() async throws {
    _ = try await install()
    // With PREFIX=~/.local, share/tintype is also the folder of the user's data.
    try folder.write("opt/my programs/share/tintype/guestbook.sqlite", Data())
    try #require(try await make("install").status == 0)
    try #require(try await make("uninstall").status == 0)
    let left = try FileManager.default.subpathsOfDirectory(atPath: installed(""))
    let files = left.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: installed(name), isDirectory: &isFolder) && !isFolder.boolValue
    }
    #expect(files == ["share/tintype/guestbook.sqlite"])
    #expect(!left.contains { ["tintype-gallery", "doc/tintype", "libexec/tintype"].contains(where: $0.hasSuffix) })
  }

  @Test func theManualPageAndCompletionsAreInstalled() async throws {
    _ = try await install()
    let starts = try Self.generated.map { name in
      try String(contentsOfFile: installed(name), encoding: .utf8).prefix { $0 != " " && $0 != "(" }
    }
    #expect(starts == [".TH", "__tintype_cursor_index_in_current_word", "#compdef", "function"])
    let version = try await run([Program.path, "--version"]).text.trimmingCharacters(in: .newlines)
    let page = try String(contentsOfFile: installed("share/man/man1/tintype.1"), encoding: .utf8)
    #expect(page.prefix { $0 != "\n" }.contains("\"Tintype \(version)\""))
  }

  /// The documents that the manual page and the help name are installed where they say.
  @Test func theDocumentsThatTheProgramNamesAreInstalled() async throws {
    _ = try await install()
    var texts = [try String(contentsOfFile: installed("share/man/man1/tintype.1"), encoding: .utf8)]
    for command in ["", "show", "list", "catalogue", "thumbnails", "history", "config", "doctor"] {
      let help = [command, "--help"].filter { !$0.isEmpty }
      texts.append(try await run([installed("bin/tintype")] + help, changes: Self.environment).text)
    }
    let names = Set(
      texts.flatMap {
        $0.replacing("\\-", with: "-").matches(of: #/docs/[\w.-]+\.(md|json)/#).map { String($0.output.0) }
      })
    #expect(names.isSuperset(of: ["docs/usage.md", "docs/catalog.md"]), "\(names)")
    for name in names {
      #expect(FileManager.default.isReadableFile(atPath: installed("share/doc/tintype/\(name)")), "\(name)")
    }
  }

  @Test func installBuildsNothing() async throws {
    let result = try await make("install", "BUILT=/nonexistent")
    #expect(result.status != 0)
    #expect(result.text.hasPrefix("tintype: nothing is built yet; run this first: make build\n"), "\(result.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func theInstalledProgramShowsImages() async throws {
    _ = try await install()
    try folder.write("x.png", try #require(Data(base64Encoded: TestImages.png)))
    try folder.write("x.webp", try #require(Data(base64Encoded: TestImages.webp)))
    let changes = Self.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    let doctor = try await run([installed("bin/tintype"), "doctor"], changes: changes)
    #expect(doctor.text.contains("JPEG, PNG, GIF, WebP"), "\(doctor.text)")
    for name in ["x.png", "x.webp"] {
      let options = ["--pictures", "symbols", "--colors", "truecolor", "--size", "8x4"]
      let result = try await run([installed("bin/tintype"), "show"] + options + [folder.path(name)], changes: changes)
      #expect(result.status == 0, "\(result.text)")
      // The images change from red at the top to blue at the bottom.
      let lines = result.text.split(separator: "\n")
      #expect(lines.count == 4, "\(result.text)")
      #expect(lines.first?.contains(/[34]8;2;2[0-9][0-9];0;[0-9]{1,2}m/) == true, "\(result.text)")
      #expect(lines.last?.contains(/[34]8;2;[0-9]{1,2};0;2[0-9][0-9]m/) == true, "\(result.text)")
    }
  }

  /// Returns the libraries that an executable file needs, and the folders where the dynamic linker searches for them.
  private func dynamicSection(_ name: String) async throws -> (libraries: [String], folders: [String]) {
    let result = try await run(["readelf", "--dynamic", "--wide", installed(name)], changes: Self.environment)
    try #require(result.status == 0, "\(result.text)")
    func values(_ tags: String...) -> [String] {
      result.text.split(separator: "\n").filter { line in tags.contains { line.contains("(\($0))") } }
        .map { String($0.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }) }
    }
    return (values("NEEDED"), values("RUNPATH", "RPATH").flatMap { $0.split(separator: ":").map(String.init) })
  }

  /// Without a release build this checks only the plug-in. The programs are linked statically only for a release.
  @Test(
    arguments: ["vips", "video", "raw", "archive"].map { "libexec/tintype/libtintype-\($0).so" }
      + (release == nil ? [] : ["bin/tintype", "libexec/tintype/tintype-pictures"]))
  func noToolchainIsNeeded(name: String) async throws {
    _ = try await install()
    let (libraries, folders) = try await dynamicSection(name)
    #expect(libraries.contains("libc.so.6"))
    #expect(libraries.filter { $0.contains("swift") || $0.contains("Foundation") || $0.contains("dispatch") } == [])
    #expect(folders.filter { $0 != "$ORIGIN" } == [])
  }

  /// The worker had 58 MB with all of Foundation, mostly data of ICU. (`make lint` checks the imports.)
  @Test(.enabled(if: release != nil, "NOT RUN: the release build; make check-install"))
  func theWorkerDoesWithoutFoundation() async throws {
    _ = try await install()
    let worker = installed("libexec/tintype/tintype-pictures")
    let size = try FileManager.default.attributesOfItem(atPath: worker)[.size] as? Int
    #expect(try #require(size) < 20_000_000)
  }

  /// The names of source files in the programs are relative, so builds in two folders are equal.
  @Test(.enabled(if: release != nil, "NOT RUN: the release build; make check-install"))
  func theProgramsDoNotNameTheirBuildFolder() async throws {
    _ = try await install()
    for name in [
      "bin/tintype", "libexec/tintype/tintype-pictures", "libexec/tintype/libtintype-vips.so",
      "libexec/tintype/libtintype-video.so", "libexec/tintype/libtintype-raw.so",
      "libexec/tintype/libtintype-archive.so",
    ] {
      let data = try Data(contentsOf: URL(filePath: installed(name)))
      #expect(data.firstRange(of: Data("\(checkout.path)/".utf8)) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    ("yes", ["tintype", "tintype-pictures", "tintype-vips", "tintype-video", "tintype-raw", "tintype-archive"]),
    ("no", ["tintype"]),
  ])
  func textOnlyNeedsNoImageLibraries(images: String, products: [String]) async throws {
    let result = try await make("--dry-run", "--always-make", "build", "PICTURES=\(images)")
    let lines = result.text.split(separator: "\n")
    let builds = lines.filter { $0.hasPrefix("swift build ") }
    #expect(builds.map { $0.split(separator: " ").last.map(String.init) } == products, "\(result.text)")
    let packages = lines.filter { $0.contains("tools/install-packages") }.joined()
    #expect(packages.contains("libcurl4-openssl-dev"))
    for name in [
      "libvips-dev", "libcairo2-dev", "libpango1.0-dev", "libjpeg-dev", "libspng-dev", "libdeflate-dev", "libisal-dev",
      "libopenexr-dev", "libtiff-dev", "libavformat-dev", "libavcodec-dev", "libswscale-dev", "libraw-dev",
    ] {
      #expect(packages.contains(name) == (images == "yes"), "\(name)")
    }
  }

  @Test func textOnlyIsInstalledWithoutTheWorker() async throws {
    try #require(try await make("install", "PICTURES=no").status == 0)
    #expect(FileManager.default.isExecutableFile(atPath: installed("bin/tintype")))
    #expect(!FileManager.default.fileExists(atPath: installed("libexec/tintype")))
    let doctor = try await run([installed("bin/tintype"), "doctor"], changes: Self.environment)
    #expect(doctor.text.contains("worker      none: "), "\(doctor.text)")
  }
}

/// Images of 16×16 pixels, from red at the top to blue at the bottom.
private enum TestImages {
  static let png =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAHklEQVQoz2P8z0AaYHnPIDiqYVTD0NDAyMBAWgIHAFPaEDkmx5pGAAAAAElF"
    + "TkSuQmCC"
  static let webp =
    "UklGRkoAAABXRUJQVlA4TD4AAAAvD8ADAH8AEIT/cQsT8ff/+U+WAVVk21BBBRVUUEEFFVRQQQUVVFBBBRV8bYeI/ufncTlsFpNBp1EpZBKRAA=="
}
