import Foundation
import Gallery
import Terminal

/// The themes by their names: those that come with the program, and those in the user's folder, which go first.
public struct Themes: Sendable {
  private let folders: [String]

  /// - Parameters:
  ///   - own: The user's folder; nil if there is none.
  ///   - bundled: The folder of the program's themes.
  public init(own: String?, bundled: String) { folders = [own, bundled].compactMap(\.self) }

  private static let suffix = ".toml"
  /// The names of the standard theme, which is in the program itself, for both kinds of windows and for one.
  private static let standard = [
    ("auto", ColorScheme.standard), ("dark", .standard.only(isLight: false)), ("light", .standard.only(isLight: true)),
  ]

  /// The names of all themes.
  public var names: [String] {
    let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
    let names = Set(files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) })
    // The standard theme looks like one of its two halves, so these come last.
    let standard = Self.standard.map(\.0)
    return standard.prefix(1) + names.subtracting(standard).sorted() + standard.dropFirst()
  }

  /// Returns the colors of a theme.
  /// - Throws: ``SettingFault`` if there is no valid theme of that name.
  public func scheme(named name: String) throws(SettingFault) -> ColorScheme {
    if let standard = Self.standard.first(where: { $0.0 == name }) { return standard.1 }
    let isName = !name.isEmpty && !name.contains("/")
    guard isName, let path = folders.map({ "\($0)/\(name)\(Self.suffix)" }).first(where: FileManager.default.fileExists)
    else { throw SettingFault("There is no theme “\(name)”. There are \(names.quoted).") }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw SettingFault("Can't read \(path).")
    }
    let file = ThemeFile(text, file: path)
    guard let scheme = file.scheme else {
      throw SettingFault(file.problems.map(\.text).joined(separator: " "))
    }
    return scheme
  }

  /// Returns a theme as a file.
  /// - Throws: ``SettingFault`` if there is no valid theme of that name.
  public func text(of name: String) throws(SettingFault) -> String { ThemeFile.text(of: try scheme(named: name)) }
}

extension ConfigurationProblem: Error {}
