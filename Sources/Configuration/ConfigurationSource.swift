import Foundation
import Gallery
import Screens

/// The place of the user's configuration and themes.
public struct ConfigurationSource: Sendable {
  /// The contents of a file.
  public struct Outcome: Equatable, Sendable {
    /// The configuration, as far as the file is valid.
    public let configuration: Configuration
    /// The mistakes.
    public let problems: [ConfigurationProblem]

    /// The mistakes, and the keys that serve two commands, a text for each.
    public var reports: [String] {
      problems.map(\.text) + configuration.settings.keys.conflicts.map { "Keys: \($0)" }
    }
  }

  /// The user's folder of the program, or nil if there is no home folder.
  public let folder: String?
  /// The themes and languages that the file may name.
  public let choices: Choices

  /// The largest file that is read, in bytes.
  private static let mostBytes = 1 << 20

  /// - Parameters:
  ///   - folder: The user's folder of the program; nil if there is none.
  ///   - bundledThemes: The folder of the program's themes.
  ///   - languages: Returns the names of the interface's languages.
  public init(folder: String?, bundledThemes: String, languages: @escaping @Sendable () -> [String]) {
    self.folder = folder
    let themes = Themes(own: folder.map { "\($0)/themes" }, bundled: bundledThemes)
    choices = Choices(themes: themes, folder: folder, languages: languages)
  }

  /// The path of the user's file.
  public var file: String? { folder.map { "\($0)/config.toml" } }

  /// Reads the user's configuration. Without a file, it is the default one.
  public func read() -> Outcome {
    guard let file else { return Outcome(configuration: Configuration(), problems: []) }
    switch read(file) {
    case .success(let outcome): return outcome ?? Outcome(configuration: Configuration(), problems: [])
    case .failure(let problem): return Outcome(configuration: Configuration(), problems: [problem])
    }
  }

  /// Reads a file. Returns nil if there is none.
  public func read(_ path: String) -> Result<Outcome?, ConfigurationProblem> {
    text(of: path).map { text in
      text.map { text in
        let reader = ConfigurationReader(text, file: path.printable, choices: choices)
        return Outcome(configuration: reader.configuration, problems: reader.problems)
      }
    }
  }

  /// Returns the text of a file, or nil if there is none.
  func text(of path: String) -> Result<String?, ConfigurationProblem> {
    func problem(_ reason: String) -> ConfigurationProblem {
      ConfigurationProblem(file: path.printable, line: nil, key: "", reason: reason.printable)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR
        ? .success(nil) : .failure(problem("can't be read: \(String(cString: strerror(errno)))."))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? handle.read(upToCount: Self.mostBytes + 1) ?? Data() else {
      return .failure(problem("can't be read."))
    }
    guard data.count <= Self.mostBytes else { return .failure(problem("is too large for a configuration.")) }
    guard let text = String(bytes: data, encoding: .utf8) else { return .failure(problem("is not in UTF-8.")) }
    return .success(text)
  }
}

extension Choices {
  /// The largest list of codes that is read, in bytes.
  private static let mostBytes = 16 << 20

  /// Returns the text of a file that the configuration names.
  func text(of name: String) throws(SettingFault) -> String {
    let path = FilePath(typed: name, in: folder.map { FilePath($0) } ?? .workingFolder)
    guard path.isFile else { throw SettingFault("There is no file “\(path.printable)”.") }
    let bytes = path.head(Self.mostBytes + 1)
    guard bytes.count <= Self.mostBytes else { throw SettingFault("“\(path.printable)” is too large.") }
    guard
      let text = String(
        validating: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    else { throw SettingFault("“\(path.printable)” is not in UTF-8.") }
    return text
  }
}
