import Foundation
import Gallery
import Languages
import Resources
import Terminal

/// The language of the gallery. The command line is in English, as are its errors.
enum InterfaceLanguage {
  /// Changes the language of the gallery. Texts that are already on the screen change when they are made again, so this
  /// is best called before the gallery's window is made.
  ///
  /// - Parameter name: The name of a language or locale, such as `de`, `zh_TW` or `en`; nil for the language of the
  ///   locale. If it has no translation, the gallery is in English.
  static func use(_ name: String? = nil) {
    let wanted = name.map { [$0] } ?? Language.wanted(by: ProcessInfo.processInfo.environment)
    let names = wanted.flatMap(Language.names)
    Translations.use(names.first { $0 == Language.english || file($0) != nil }.flatMap(translations))
  }

  /// The names of all languages.
  static var all: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Resources.path("languages"))) ?? []
    return [Language.english] + files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  private static let suffix = ".po"

  private static func translations(_ name: String) -> Translations? {
    // In ASCII, German without umlauts would be misspelled, and Chinese would be question marks.
    guard name != Language.english, Charset.current != .ascii else { return nil }
    return file(name).flatMap { FileManager.default.contents(atPath: $0) }.map { Translations(po: Array($0)) }
  }

  /// Returns the path of a language's texts, or nil if there are none. The names of languages come from outside.
  private static func file(_ name: String) -> String? {
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else { return nil }
    let path = Resources.path("languages/\(name)\(suffix)")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
