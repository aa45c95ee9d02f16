import Foundation
import Harness
import TestLimit
import Testing

/// Columns stay aligned in tmux, even if terminals disagree on the width of a cluster.
@Suite(.fewAtOnceAndFirst, .limited) struct TmuxTests {
  /// Three hundred grapheme clusters on whose width terminals disagree.
  static let clusters: [String] = {
    let (joiner, emoji, text) = ("\u{200D}", "\u{FE0F}", "\u{FE0E}")
    let tones = ["", "🏻", "🏼", "🏽", "🏾", "🏿"]
    let adults = ["👨", "👩", "🧑"]
    let children = ["👧", "👦", "👶"]
    var all: [String] = []
    for one in adults {
      for child in children { all += adults.map { [one, $0, child].joined(separator: joiner) } }
      for tool in ["⚕", "🎓", "🚀", "✈", "🔬", "💻"] { all += tones.map { one + $0 + joiner + tool + emoji } }
    }
    all += [
      "❤\(emoji)\(joiner)🔥", "🏳\(emoji)\(joiner)🌈", "🏴\(joiner)☠\(emoji)", "🐈\(joiner)⬛", "👁\(emoji)\(joiner)🗨\(emoji)",
    ]
    for country in ["FR", "JP", "US", "GB", "DE", "BR", "ZA", "IN", "EU", "UN", "XX", "ZZ"] {
      all.append(
        String(String.UnicodeScalarView(country.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x1F1A5) })))
    }
    all += ["🇫", "🇫🇷🇯", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"]
    for key in "0123456789#*" { all += ["\(key)\(emoji)\u{20E3}", "\(key)\u{20E3}"] }
    for symbol in "☀☁☂☃☎☑☔☕☘☝☠☢♈♠♥♻⚓⚡⚽⛄✂✈✉✌✏✔✨❄❗❤➡⬛⭐〰㊗㊙©®™ℹ↔⌚⏩▶" {
      all += ["\(symbol)", "\(symbol)\(emoji)", "\(symbol)\(text)"]
    }
    all += ["ᄀ", "ᅡ", "ᆨ", "가", "각", "ᄀᄀ가", "ᅡᆨ", "한ᆨ", "ㄱㅏ", "ﾡￂ", "한국", "ᄒ\u{302E}"]
    for count in [1, 2, 5, 9, 40] { all.append("Z" + String(repeating: "\u{335}\u{34A}\u{321}\u{330}", count: count)) }
    all += ["\u{301}", "\u{301}\u{302}x", "漢\u{301}", "e\u{301}\u{323}\u{20DD}", "👍\u{301}", "a\u{20E0}", "\u{20E3}"]
    all += ["漢", "𠀀", "ｶﾞ", "ﾊﾟ", "Ａ", "￥", "㍿", "〇", "、", "「", "葛\u{E0100}", "𛀀", "丽\u{FE00}", "ゝ", "゛", "々"]
    all += ["a\tb", "\t", "a\u{200B}b", "\u{AD}", "\u{2060}", "\u{3164}", "\u{FEFF}", "\u{2028}", "\u{7F}", "\u{85}"]
    all += ["กำ", "ไท่", "हिन्दी", "क्ष", "नि", "தமிழ்", "ﷺ", "لا", "שָׁ", "ମୋ", "ཀྵ", "ၐ", "ខ្មែរ", "᠀ᠠ\u{180B}", "𓀀", "𝔄", "𒀱", "꧅"]
    all += [
      "①", "α", "─", "…", "■", "◆", "※", "℃", "Ⅷ", "½", "⸺", "⸻", "🀄", "🃏", "🅰", "🈁", "🎄", "🫠", "🪿", "🕴", "🖖🏽", "☝🏽", "🤝🏻",
    ]
    return all
  }()

  @Test func thereAreThreeHundredClusters() { #expect(Set(Self.clusters).count >= 300, "\(Set(Self.clusters).count)") }

  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func tortureBordersStayInTheirColumn() async throws {
    let count = isTorture ? 1 : 8
    let names = stride(from: 0, to: Self.clusters.count, by: count).map {
      "<" + Self.clusters[$0..<min($0 + count, Self.clusters.count)].joined(separator: " ") + ">"
    }
    let catalog = try TemporaryCatalog.named(names)
    let folder = URL(filePath: catalog.path).deletingLastPathComponent()
    let configuration = folder.appending(path: "tmux.conf")
    // With destroy-unattached, tmux ends when its only terminal is closed.
    let settings =
      "set -g status off\nset -g destroy-unattached on\nset -g default-terminal tmux-256color\nset -sg escape-time 0\n"
    try Data(settings.utf8).write(to: configuration)
    let socket = folder.appending(path: "tmux").path
    let session = try TerminalSession(
      Tmux.path,
      [
        "-u", "-S", socket, "-f", configuration.path, "new-session", Program.path,
        "--pictures", "none",
        catalog.path,
      ], size: Size(columns: 100, rows: 30), environment: Program.environment)
    defer { session.close() }
    for row in 1...names.count {
      try await session.wait(for: "row \(row), its borders in one column", timeout: .seconds(10)) {
        guard $0.contains(" \(row)/\(names.count)") else { return false }
        return try Set(Self.borders(at: socket)).count == 1
      }
      session.type("j")
    }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// Returns the column of the first border in each row of tmux's own screen.
  ///
  /// The terminal around tmux is an old libvterm, which has other widths.
  private static func borders(at socket: String) throws -> [Int] {
    let rows = try ask(socket, ["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
    var parts: [String] = []
    for row in rows.dropFirst(2).prefix(26) {
      let scalars = row.unicodeScalars
      guard let border = scalars.firstIndex(where: { "│┃".unicodeScalars.contains($0) }) else { return [] }
      parts.append(String(scalars[..<border]) + "|")
    }
    // The format `w:` is the width that tmux gives a text.
    let questions = parts.enumerated().flatMap { index, part in
      ["set-option", "-g", "@row\(index)", part, ";", "display-message", "-p", "#{w:@row\(index)}", ";"]
    }
    return try ask(socket, questions.dropLast()).split(separator: "\n").compactMap { Int($0) }
  }

  /// Runs a command of tmux and returns its output.
  private static func ask(_ socket: String, _ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Tmux.path)
    process.arguments = ["-u", "-S", socket] + words
    process.environment = Program.environment
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
