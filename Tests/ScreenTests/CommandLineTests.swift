import Foundation
import Harness
import TestLimit
import Testing

/// The words with which users of other programs begin, and misspelled commands.
@Suite(.fewAtOnce, .limited) final class CommandLineTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test(arguments: [("help", "--help"), ("help show", "show --help"), ("version", "--version")])
  func commandsOfOtherProgramsDoWhatTheOptionsDo(words: String, option: String) async throws {
    let both = try await [words, option].asyncMap { try await Script.run("\"$0\" \($0)", in: self.folder) }
    #expect(both.map(\.code) == [0, 0] && both[0].output == both[1].output && !both[0].output.isEmpty)
  }

  @Test(arguments: [
    ("shwo a.jpg", "show"), ("dcotor", "doctor"), ("thumbnail a.jpg", "thumbnails"), ("help lsit", nil),
    ("shwo --size 10 a.jpg", "show"),
  ])
  func aMisspelledCommandIsAnswered(words: String, command: String?) async throws {
    try Data().write(to: folder.appending(path: "a.jpg"))
    let answer = try await Script.run("\"$0\" \(words)", in: folder)
    let name = words.split(separator: " ").first ?? ""
    #expect(answer.code == 64 && answer.output.isEmpty)
    let near = command ?? "list"
    let text = "There is no command or file “\(command == nil ? "lsit" : name)”. Did you mean `tintype \(near)`?"
    #expect(answer.errors.contains(text), "\(answer.errors)")
  }

  /// The help of all commands, with their options and what they take.
  @Test func theHelpOfEachCommandMatchesTheSnapshot() async throws {
    let commands = try await Script.run(#""$0" --help"#, in: folder).output.matches(of: #/(?m)^ *tintype ([a-z]+) /#)
      .map { String($0.output.1) }
    let script = ([""] + commands).map { "\"$0\" \($0) --help; echo" }.joined(separator: "\n")
    let help = try await Script.run(script, in: folder)
    #expect(help.code == 0 && help.errors.isEmpty && commands.count > 5)
    assertSnapshot(of: help.output, named: "help-of-commands")
  }

  /// A file with such a name is opened, and other names are those of files.
  @Test func namesOfFilesAreNoMisspelledCommands() async throws {
    let answer = try await Script.run("\"$0\" Norway2024; \"$0\" shwo.jpg; \"$0\" ./shwo", in: folder)
    #expect(!answer.errors.contains("Did you mean") && answer.errors.components(separatedBy: "There is no").count == 4)
    try Data().write(to: folder.appending(path: "shwo"))
    let other = try await Script.run("\"$0\" shwo --strict", in: folder)
    #expect(other.errors.contains("shwo cannot be read"), "\(other.errors)")
    #expect(!other.errors.contains("Did you mean"), "\(other.errors)")
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
