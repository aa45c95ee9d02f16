import Gallery

// The choice of the interface's language.
extension Language {
  /// The name of the language that the texts in the sources are written in.
  public static let english = "en"

  /// Returns the languages that the environment asks for, the most wanted one first, as gettext reads them (GNU gettext
  /// manual, "Specifying a Priority List of Languages"): the locale is `LC_ALL`, `LC_MESSAGES` or `LANG`, and `LANGUAGE`
  /// is a list that comes before it, unless the locale is `C` or `POSIX`.
  ///
  /// The list is empty in the locale C, which means English.
  public static func wanted(by environment: [String: String]) -> [String] {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = variables.lazy.compactMap { environment[$0]?.nonEmpty }.first ?? "C"
    if ["C", "POSIX"].contains(locale.prefix { $0 != "." }) { return [] }
    return (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
  }

  /// Returns the file names of translations to look for, in order, for the name of a locale such as `de_AT.UTF-8` or
  /// `zh-Hant-HK`. English is ``english``, which has no file.
  public static func names(for locale: String) -> [String] {
    let parts = locale.prefix { !".@".contains($0) }.split { "_-".contains($0) }
    guard let language = parts.first?.lowercased() else { return [] }
    if ["c", "posix", "en"].contains(language) { return [english] }
    let regions = parts.dropFirst().map { $0.uppercased() }
    // Chinese is written in two scripts, which readers of the other one don't take for their own.
    if language == "zh" {
      return regions.contains { ["HANT", "TW", "HK", "MO"].contains($0) } ? ["zh_TW"] : []
    }
    return regions.last.map { ["\(language)_\($0)", language] } ?? [language]
  }
}
