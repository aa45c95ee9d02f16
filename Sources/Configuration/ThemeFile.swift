import Gallery
import Screens
import TOMLKit
import Terminal

/// Reads and writes the file of a theme: the tables `[dark]` and `[light]`, or one of them, with colors by their roles.
///
/// A color is `"#rrggbb"`, or `"#rrggbb name"` with one of ANSI's sixteen colors for terminals that have only those.
struct ThemeFile {
  /// The colors; nil if the file has mistakes.
  private(set) var scheme: ColorScheme?
  private(set) var problems: [ConfigurationProblem] = []

  private static let (dark, light) = ("dark", "light")
  /// ANSI's colors in the order of their numbers.
  private static let ansi = ["", "bright-"].flatMap { prefix in
    ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].map { prefix + $0 }
  }

  /// - Parameter file: The file's name for messages.
  init(_ text: String, file: String) {
    let table: TOMLTable
    do throws(TOMLDocument.Fault) { table = try TOMLDocument.table(text) } catch {
      problems = [ConfigurationProblem(invalid: error, in: file)]
      return
    }
    let lines = SourceLines(text)
    func report(_ path: [String], _ reason: String) {
      problems.append(
        ConfigurationProblem(
          file: file, line: lines.line(of: path), key: path.joined(separator: ".").printable, reason: reason.printable))
    }
    var all: [String: ColorScheme.Colors] = [:]
    for name in table.keys {
      guard [Self.dark, Self.light].contains(name), let colors = table[name]?.table else {
        report([name], "A theme has the tables [dark] and [light] alone.")
        continue
      }
      var own: [ColorScheme.Name: Color] = [:]
      for role in colors.keys {
        guard let known = ColorScheme.Name(rawValue: role) else {
          let names = ColorScheme.Name.allCases.map(\.rawValue)
          let near = names.nearest(to: role).map { "Did you mean “\($0)”?" }
          report([name, role], "There is no such color. \(near ?? "There are \(names.joined(separator: ", ")).")")
          continue
        }
        guard let color = colors[role]?.string.flatMap(Self.color) else {
          report([name, role], "A color is \"#rrggbb\", or \"#rrggbb name\" with one of ANSI's names, such as yellow.")
          continue
        }
        own[known] = color
      }
      all[name] = ColorScheme.Colors(own)
    }
    if all.isEmpty, problems.isEmpty { report([], "The theme has neither [dark] nor [light].") }
    if problems.isEmpty { scheme = ColorScheme(dark: all[Self.dark], light: all[Self.light]) }
  }

  private static func color(_ text: String) -> Color? {
    let words = text.split(separator: " ")
    guard (1...2).contains(words.count), words[0].count == 7, words[0].first == "#",
      let rgb = UInt32(words[0].dropFirst(), radix: 16)
    else { return nil }
    guard words.count == 2 else { return Color(rgb, ansi: nil) }
    return ansi.firstIndex(of: String(words[1])).map { Color(rgb, ansi: $0) }
  }

  /// Returns the text of a file with the colors of a theme.
  static func text(of scheme: ColorScheme) -> String {
    [(dark, scheme.dark), (light, scheme.light)].compactMap { name, colors in
      colors.map { colors in
        "[\(name)]\n"
          + ColorScheme.Name.allCases.map { role in
            guard let color = colors.own[role] else {
              return
                "#\(role.rawValue) = \(role.fallback.map { "the color of \($0.rawValue)" } ?? "the terminal's own")\n"
            }
            return "\(role.rawValue) = \"\(text(of: color))\"\n"
          }.joined()
      }
    }.joined(separator: "\n")
  }

  private static func text(of color: Color) -> String {
    let digits = String(color.rgb, radix: 16)
    let number = "#" + String(repeating: "0", count: 6 - digits.count) + digits
    return color.ansi.map { "\(number) \(ansi[$0])" } ?? number
  }
}
