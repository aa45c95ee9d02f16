import Finding
import Foundation
import Screens
import TestLimit
import Testing

@testable import Configuration

/// The user's file, in which the gallery changes settings.
@Suite(.limited) final class ConfigurationFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "config.toml").path }

  private var source: ConfigurationSource {
    ConfigurationSource(folder: folder.path, bundledThemes: "", languages: { ["en", "de"] })
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open(_ text: String?) throws -> ConfigurationFile {
    if let text {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    return ConfigurationFile(source, first: source.read())
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func withoutAFileEverySettingHasItsDefault() {
    let outcome = source.read()
    #expect(outcome.configuration == Configuration() && outcome.problems.isEmpty)
  }

  @Test func aFileIsMadeWithTheSettingAlone() async throws {
    let file = try open(nil)
    #expect(await file.set("rows", to: "large") == nil)
    #expect(await file.set("stacks", to: "false") == nil)
    #expect(try text().split(separator: "\n").dropFirst() == ["rows = \"large\"", "stacks = false"])
    let lines = await file.lines
    #expect(lines.map(\.name) == ["theme", "language", "pictures", "rows", "advance", "stacks", "animations"])
    #expect(lines.map(\.value) == ["auto", "auto", "auto", "large", "true", "false", "true"])
    #expect(lines[1].values == ["auto", "en", "de"])
  }

  /// The gallery has the change before the file, and the watch of the file finds nothing new after it.
  @Test func aChangeIsReportedOnce() async throws {
    let file = try open("rows = \"normal\" # mine\n")
    var outcomes = file.outcomes.makeAsyncIterator()
    #expect(await file.set("rows", to: "compact") == nil)
    #expect(await outcomes.next()?.configuration.settings.rowSize == .compact)
    #expect(await !file.reload())
    #expect(try text() == "rows = \"compact\" # mine\n")
    try "rows = \"large\"\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(await file.reload())
    #expect(await outcomes.next()?.configuration.settings.rowSize == .large)
  }

  @Test(arguments: [
    ("rows = \"normal\"\n[keys\n", "line 2 of config.toml is invalid."),
    ("rows.x = 1", "change “rows” in config.toml yourself."),
  ])
  func aFaultyFileStaysAndTheChangeLasts(text: String, reason: String) async throws {
    let file = try open(text)
    var outcomes = file.outcomes.makeAsyncIterator()
    #expect(await file.set("rows", to: "large") == reason)
    #expect(await outcomes.next()?.configuration.settings.rowSize == .large)
    #expect(try self.text() == text)
    #expect(await file.lines.first { $0.name == "rows" }?.value == "large")
    // Another saving of the file does not take it back.
    try "sort = \"name\"\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(await file.reload())
    let next = await outcomes.next()?.configuration.settings
    #expect(next?.rowSize == .large && next?.order.name == "name")
  }

  @Test func aReadOnlyFileStays() async throws {
    let file = try open("rows = \"normal\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    #expect(await file.set("rows", to: "large") == "config.toml is read-only.")
    #expect(try text() == "rows = \"normal\"\n")
  }

  @Test func aLinkStaysALink() async throws {
    let file = try open("rows = \"normal\"\n")
    let target = folder.appending(path: "dotfile").path
    try FileManager.default.moveItem(atPath: path, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(await file.set("rows", to: "large") == nil)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "rows = \"large\"\n")
  }

  @Test func withoutAHomeFolderTheChangeLasts() async {
    let source = ConfigurationSource(folder: nil, bundledThemes: "", languages: { [] })
    let file = ConfigurationFile(source, first: source.read())
    #expect(await file.set("advance", to: "false") == "there is no home folder.")
    #expect(await file.lines.first { $0.name == "advance" }?.value == "false")
  }
}
