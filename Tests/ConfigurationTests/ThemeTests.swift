import Foundation
import ImageWire
import TestLimit
import Testing

@testable import Configuration
@testable import Terminal

@Suite(.limited) struct ThemeTests {
  /// A scheme for windows of one brightness, with the backgrounds on which it may be drawn.
  struct Look: CustomTestStringConvertible {
    let name: String
    let colors: ColorScheme.Colors
    let backgrounds: [UInt32]

    var testDescription: String { name }

    /// The standard theme is drawn on the terminal's own background, whatever it is.
    static let all: [Look] = bundledThemes.names.filter { $0 != "auto" }.flatMap { name -> [Look] in
      let scheme = (try? bundledThemes.scheme(named: name)) ?? .standard
      func look(_ variant: String, _ colors: ColorScheme.Colors?, _ usual: [UInt32]) -> [Look] {
        colors.map {
          [Look(name: "\(name), \(variant)", colors: $0, backgrounds: $0[.background].map { [$0.rgb] } ?? usual)]
        }
          ?? []
      }
      return look("dark", scheme.dark, [0x000000, 0x101214, 0x1E1E1E])
        + look("light", scheme.light, [0xFFFFFF, 0xF8F8F8])
    }
  }

  @Test func sixThemesAreBundled() {
    #expect(bundledThemes.names == ["auto", "color-blind", "gruvbox", "high-contrast", "solarized", "dark", "light"])
  }

  /// WCAG 2.1, 1.4.3: 4.5 for texts. 1.4.11: 3 for signs, which labels are.
  @Test(arguments: Look.all, [ColorDepth.truecolor, .palette256]) func textsCanBeRead(look: Look, depth: ColorDepth) {
    let colors = look.colors
    func shown(_ rgb: UInt32) -> UInt32 { depth == .truecolor ? rgb : Color(rgb, ansi: nil).shown256 }
    func expect(_ name: ColorScheme.Name, on grounds: [UInt32], atLeast least: Double) {
      guard let color = colors[name]?.rgb else { return }
      for ground in grounds {
        let contrast = contrast(shown(color), shown(ground))
        #expect(contrast >= least, "\(name.rawValue) on \(String(ground, radix: 16)): \(contrast)")
      }
    }
    let rows = [colors[.selection], colors[.idleSelection]].compactMap { $0?.rgb }
    let grounds = look.backgrounds + rows + [colors[.field]].compactMap { $0?.rgb }
    for name: ColorScheme.Name in [.secondary, .heading, .idleHeading, .accent, .found, .positive, .negative] {
      expect(name, on: grounds, atLeast: 4.5)
    }
    for name: ColorScheme.Name in [.labelRed, .labelYellow, .labelGreen, .labelBlue, .labelPurple] {
      expect(name, on: grounds, atLeast: 3)
    }
    // In a highlighted row, selected-text takes the place of the usual color.
    for name: ColorScheme.Name in [.text, .title] { expect(name, on: look.backgrounds, atLeast: 4.5) }
    expect(.selectedText, on: rows, atLeast: 4.5)
    expect(.buttonText, on: [colors[.button]].compactMap { $0?.rgb }, atLeast: 4.5)
  }

  /// The standard colors of light windows can't be read on a dark terminal's own background.
  @Test(arguments: [("dark", false), ("light", true)])
  func aThemeForOneKindOfWindowHasABackgroundInTheOther(name: String, isLight: Bool) throws {
    let scheme = try bundledThemes.scheme(named: name)
    #expect(scheme.colors(isLight: isLight)[.background] == nil)
    let colors = scheme.colors(isLight: !isLight)
    let ground = try #require(colors[.background]).rgb
    for name: ColorScheme.Name in [.text, .title, .secondary, .heading, .accent, .found, .positive, .negative] {
      let color = try #require(colors[name]).rgb
      #expect(contrast(color, ground) >= 4.5, "\(name.rawValue)")
    }
    // A theme's own background stays.
    let own = ColorScheme(dark: ColorScheme.Colors([.background: Color(0x123456, ansi: nil)]), light: nil)
    #expect(own.colors(isLight: true)[.background]?.rgb == 0x123456)
  }

  /// The terminal chooses how these colors look, so that they can be read in its window.
  @Test(arguments: [false, true]) func theLabelsOfTheStandardThemeAreColorsOfEveryTerminal(isLight: Bool) {
    let colors = ColorScheme.standard.colors(isLight: isLight)
    let names: [ColorScheme.Name] = [.labelRed, .labelYellow, .labelGreen, .labelBlue, .labelPurple]
    // Red, yellow, green, blue and magenta (ECMA-48, "Select Graphic Rendition").
    #expect(names.map { colors[$0]?.ansi } == [1, 3, 2, 4, 5])
  }

  @Test func aThemeIsWrittenAsItIsRead() throws {
    for name in bundledThemes.names {
      let text = try bundledThemes.text(of: name)
      #expect(ThemeFile(text, file: name).scheme == (try bundledThemes.scheme(named: name)), "\(name)")
    }
  }

  @Test(arguments: [
    ("[dark]\naccent = \"red\"", 2, "dark.accent", "A color is \"#rrggbb\""),
    ("[dark]\naccent = \"#12345\"", 2, "dark.accent", "A color is"),
    ("[dark]\naccent = \"#123456 mauve\"", 2, "dark.accent", "A color is"),
    ("[dark]\nacent = \"#123456\"", 2, "dark.acent", "There is no such color. Did you mean “accent”?"),
    ("[dusk]\naccent = \"#123456\"", 1, "dusk", "A theme has the tables [dark] and [light] alone."),
    ("accent = \"#123456\"", 1, "accent", "A theme has the tables"),
  ])
  func aMistakeIsReportedWithItsLine(text: String, line: Int, key: String, reason: String) throws {
    let file = ThemeFile(text, file: "x.toml")
    let problem = try #require(file.problems.first)
    #expect(file.scheme == nil)
    #expect((problem.line, problem.key) == (line, key))
    #expect(problem.reason.hasPrefix(reason), "\(problem.reason)")
  }

  @Test func theUsersThemesGoFirst() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "[light]\ntext = \"#123456\"\n".write(
      to: folder.appending(path: "gruvbox.toml"), atomically: true, encoding: .utf8)
    try "[light]\n".write(to: folder.appending(path: "mine.toml"), atomically: true, encoding: .utf8)
    let themes = Themes(own: folder.path, bundled: folder.path)
    #expect(try themes.scheme(named: "gruvbox").light?[.title]?.rgb == 0x123456)
    #expect(themes.names == ["auto", "gruvbox", "mine", "dark", "light"])
  }

  /// The ratio of two colors' contrast (WCAG 2.1).
  private func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    func luminance(_ rgb: UInt32) -> Double {
      let parts = [16, 8, 0].map { shift -> Double in
        let part = Double(rgb >> UInt32(shift) & 0xFF) / 255
        return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (dark, light) = (min(luminance(one), luminance(other)), max(luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
  }
}

extension Color {
  /// The color as terminals with 256 colors show it.
  fileprivate var shown256: UInt32 {
    let number = nearestOf256
    guard number < 232 else { return UInt32(8 + 10 * (number - 232)) * 0x010101 }
    let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
    let cube = number - 16
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
  }
}
