import Finding
import Foundation
import Gallery
import ImageWire
import Photos
import Screens
import Terminal
import TestLimit
import Testing

@testable import Configuration

/// The themes that come with the program.
let bundledThemes = Themes(
  own: nil, bundled: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Resources/themes").path
)

@Suite(.limited) struct ConfigurationReaderTests {
  private func read(_ text: String) -> ConfigurationReader {
    ConfigurationReader(
      text, file: "config.toml", choices: Choices(themes: bundledThemes, languages: { ["en", "de"] }))
  }

  @Test func anEmptyFileIsTheDefault() {
    let reader = read("")
    #expect(reader.configuration == Configuration())
    #expect(reader.problems == [])
  }

  @Test(arguments: [0, 1]) func aFileThatIsTooLargeIsReported(excess: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20 + excess).write(to: URL(filePath: path))
    let source = ConfigurationSource(folder: nil, bundledThemes: "", languages: { [] })
    switch source.read(path) {
    case .success(let outcome): #expect(excess == 0 && outcome?.problems == [])
    case .failure(let problem): #expect(excess == 1 && problem.reason == "is too large for a configuration.")
    }
  }

  @Test func presetsOfExportsAreRead() throws {
    let reader = read(
      """
      [export.web]
      long-edge = 2048
      metadata = "copyright"
      name = "{date}_{seq:3}"
      [export."for print"]
      format = "png"
      """)
    #expect(reader.problems == [])
    let presets = reader.configuration.exports
    #expect(Set(presets.map(\.name)) == ["web", "for print"])
    let web = try #require(presets.first { $0.name == "web" })
    #expect(web.specification.size == .longEdge(2048) && web.specification.metadata == .copyright)
    #expect(web.names.text == "{date}_{seq:3}")
  }

  @Test(arguments: [
    ("[export.web]\nlong-edge = true", "config.toml:2: export.web.long-edge", "It takes a number, or a text"),
    ("[export.web]\nquality = 0", "config.toml:2: export.web.quality", "It takes a number from 1 to 100."),
    ("[export.web]\n\nsize = 3", "config.toml:3: export.web.size", "There is no “size” here."),
    ("[export]\nweb = 3", "config.toml:1: export", "“web” is no table."),
    ("export = 1", "config.toml:1: export", "It takes tables"),
    ("[export.web]\nformat = \"png\"\nlimit = 3", "config.toml:1: export.web", "A PNG loses nothing"),
  ])
  func mistakesInPresetsAreReported(text: String, place: String, reason: String) {
    let problems = read(text).problems
    #expect(problems.count == 1)
    #expect(problems.first?.text.hasPrefix(place) == true, "\(problems.map(\.text))")
    #expect(problems.first?.text.contains(reason) == true, "\(problems.map(\.text))")
  }

  @Test func templatesAreRead() throws {
    let reader = read(
      """
      [template.press]
      creator = "Ana Silva"
      copyright = "© {date:%Y} Ana Silva"
      keywords = ["press", "{folder}"]
      append = ["caption", "keywords"]
      [template.empty]
      """)
    #expect(reader.problems == [])
    #expect(reader.configuration.templates.map(\.name) == ["press"])
    #expect(reader.configuration.templates.first?.decisions == [.keywords, .creator, .copyright])
  }

  /// The codes are in files beside the configuration, which may be missing.
  @Test func codeListsAreRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("\u{FEFF}be10\tLuka\n".utf8).write(to: folder.appending(path: "team.txt"))
    try Data([0x61, 0x09, 0xFF]).write(to: folder.appending(path: "old.txt"))
    func read(_ text: String) -> ConfigurationReader {
      ConfigurationReader(
        text, file: "config.toml",
        choices: Choices(themes: bundledThemes, folder: folder.path, languages: { ["en"] }))
    }
    let found = read("code-lists = [\"team.txt\"]\ncode-mark = \"%\"")
    #expect(found.problems == [] && found.configuration.settings.codes.expanding("%be10%") == "Luka")
    for (text, reason) in [
      ("code-lists = [\"none.txt\"]", "There is no file “\(folder.path)/none.txt”."),
      ("code-lists = [\"old.txt\"]", "is not in UTF-8."), ("code-lists = \"team.txt\"", "It takes a list of texts"),
      ("code-mark = \"ab\"", "It takes one character"), ("code-mark = \"a\"", "It takes one character"),
    ] {
      #expect(read(text).problems.first?.text.contains(reason) == true, "\(read(text).problems.map(\.text))")
    }
  }

  @Test(arguments: [
    ("[template.a]\ncreator = 3", "config.toml:2: template.a.creator", "It takes a text in quotation marks"),
    ("[template.a]\nauthor = \"Ana\"", "config.toml:2: template.a.author", "There is no “author” here."),
    ("[template.a]\ncity = [\"a\", \"b\"]", "config.toml:2: template.a.city", "It takes one text."),
    ("[template.a]\ncity = \"{town}\"", "config.toml:2: template.a.city", "Unknown field {town}."),
    ("[template.a]\nappend = [\"rating\"]", "config.toml:2: template.a.append", "There is no “rating” here."),
    ("[template]\na = 3", "config.toml:1: template", "“a” is no table."),
  ])
  func mistakesInTemplatesAreReported(text: String, place: String, reason: String) {
    let problems = read(text).problems
    #expect(problems.count == 1)
    #expect(problems.first?.text.hasPrefix(place) == true, "\(problems.map(\.text))")
    #expect(problems.first?.text.contains(reason) == true, "\(problems.map(\.text))")
  }

  @Test func everySettingIsRead() throws {
    let reader = read(
      """
      theme = "gruvbox"
      language = "de"
      pictures = "sixel"
      glyphs = "braille"
      colors = "256"
      rows = "large"
      sort = "date reversed"
      advance = false
      plain = true
      memory = 64
      sidecars = "short"
      [keys]
      quit = "Ctrl-q"
      [[commands]]
      name = "Edit"
      key = ["Alt-e", "F12"]
      run = "gimp %f"
      in = "terminal"
      [[sources]]
      name = "Archive"
      open = "~/archive"
      [[sources]]
      name = "Agency"
      open = "https://agency.example/photos"
      token-file = "/etc/token"
      [[sources]]
      name = "Family"
      open = "immich://photos.example/albums/Family"
      token-command = "pass show immich"
      """)
    #expect(reader.problems == [])
    let sources = reader.configuration.sources
    #expect(sources.map(\.name) == ["Archive", "Agency", "Family"])
    #expect(sources.map(\.tokenFile) == [nil, "/etc/token", nil])
    #expect(sources.map(\.tokenCommand) == [nil, nil, "pass show immich"])
    #expect(sources[0].source == NSHomeDirectory() + "/archive")
    #expect(sources[1].place == Place(arguments: [Array("https://agency.example/photos".utf8)], name: "Agency"))
    let configuration = reader.configuration
    #expect(configuration.settings.scheme == (try bundledThemes.scheme(named: "gruvbox")))
    #expect(configuration.settings.images.rawValue == "sixel")
    #expect(configuration.settings.glyphs == .braille)
    #expect(configuration.colors == .palette256)
    #expect(configuration.settings.rowSize == .large)
    #expect(configuration.settings.order == PhotoOrder(.date, isAscending: true))
    #expect(!configuration.settings.advances)
    #expect(configuration.isPlain)
    #expect(configuration.settings.language == "de")
    #expect(configuration.memory == 64)
    #expect(configuration.sidecars == .short)
    var keys = KeyConfiguration()
    try keys.bind("quit", to: ["Ctrl-q"])
    try keys.add(UserCommand(name: "Edit", line: "gimp %f", place: .terminal), keys: ["Alt-e", "F12"])
    #expect(configuration.settings.keys == keys)
  }

  @Test func theDefaultTextIsValidAndChangesNothing() {
    let text = DefaultText.text
    #expect(read(text).configuration == Configuration())
    let active = text.split(separator: "\n").map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
    let reader = read(active.joined(separator: "\n"))
    #expect(reader.problems == [])
    #expect(reader.configuration.settings.keys.own.map(\.command.name) == ["Show all metadata"])
    #expect(reader.configuration.settings.keys.conflicts == [])
    var rest = reader.configuration
    #expect(rest.sources.map(\.name) == ["Agency"])
    rest.settings.keys = KeyConfiguration()
    rest.sources = []
    #expect(rest.exports.map(\.name) == ["web"])
    rest.exports = []
    #expect(rest.templates.map(\.name) == ["press"])
    rest.templates = []
    #expect(rest == Configuration())
  }

  /// The rest of the file counts.
  @Test(arguments: [
    ("theme = \"nord\"", 1, "theme", "There is no theme “nord”."),
    ("theme = \"../x\"", 1, "theme", "There is no theme “../x”."),
    ("\n\npictures = \"png\"", 3, "pictures", "It takes one of \"auto\", \"kitty\""),
    ("pictures = 3", 1, "pictures", "It takes a text in quotation marks."),
    ("memory = 0", 1, "memory", "It takes a number from 1 to 4096."),
    ("memory = \"20\"", 1, "memory", "It takes a number"),
    ("language = \"tlh\"", 1, "language", "It takes one of \"auto\", \"en\", \"de\"."),
    ("advance = \"no\"", 1, "advance", "It takes true or false."),
    ("sort = \"beauty\"", 1, "sort", "It takes one of \"source\", \"date\""),
    ("picturs = \"auto\"", 1, "picturs", "There is no such setting. Did you mean “pictures”?"),
    ("[keys]\nquit = []", 2, "keys.quit", "“quit” needs a key."),
    ("[keys]\nmark = \"Hyper-x\"", 2, "keys.mark", "There is no key “Hyper-x”."),
    ("[keys]\nmark = \"Ctrl-c\"", 2, "keys.mark", "“Ctrl-c” can't be used: the terminal uses it for signals."),
    ("[keys]\nmark = 3", 2, "keys.mark", "It takes the name of a key"),
    ("[keys]\n\nmrak = \"x\"", 3, "keys.mrak", "There is no command “mrak”. Did you mean “mark”?"),
    ("keys = 1", 1, "keys", "It takes a table"),
    ("[[commands]]\nname = \"A\"", 1, "commands", "It needs a command"),
    ("[[commands]]\nrun = \"a\"", 1, "commands", "It needs a name"),
    (
      "[[commands]]\nname = \"A\"\nrun = \"a\"\n\n[[commands]]\nname = \"B\"\nrun = \"b\"\nin = \"x\"", 5, "commands",
      "“in” takes"
    ),
    ("rows = \"large\"\nkeys.mark.x = \"m\"", 2, "keys.mark", "It takes the name of a key"),
    ("memory = 30\n[keys.mark]\nx = \"m\"", 2, "keys.mark", "It takes the name of a key"),
    ("[keys]\nquit = \"Ctrl-q\"\nmark.x = \"m\"", 3, "keys.mark", "It takes the name of a key"),
    (
      "[[commands]]\nname = \"A\"\nrun = \"a\"\n[[commands]]\nname = \"A\"\nrun = \"b\"", 4, "commands",
      "There is another command “A”."
    ),
    (
      "[[commands]]\nname = \"A\"\nrun = \"exiftool '%f'\"", 1, "commands",
      "“A” has '%f'. Remove the quotation marks"
    ),
    ("[commands]\nname = \"A\"", 1, "commands", "It takes tables: [[commands]]"),
    ("sources = [1]", 1, "sources", "It takes tables: [[sources]], with name, open"),
    ("[[sources]]\nname = \"A\"\nopen = \"a\"", 1, "sources", "It needs a folder, a file or an address"),
    ("[[sources]]\nname = \"A\"\nopen = \"/a\"\nrun = \"b\"", 1, "sources", "There is no “run” here."),
    (
      "[[sources]]\nname = \"A\"\nopen = \"/a\"\ntoken-file = \"/b\"", 1, "sources",
      "A token is for the address of a server."
    ),
    (
      "[[sources]]\nname = \"A\"\nopen = \"https://a.example\"\ntoken-file = \"b\"", 1, "sources",
      "“token-file” takes the path of a file"
    ),
    (
      "[[sources]]\nname = \"A\"\nopen = \"immich://a\"\ntoken-file = \"/b\"\ntoken-command = \"c\"", 1, "sources",
      "There are “token-file” and “token-command”."
    ),
    (
      "[[sources]]\nname = \"A\"\nopen = \"/a\"\n[[sources]]\nname = \"A\"\nopen = \"/b\"", 4, "sources",
      "There is another source “A”."
    ),
  ])
  func aMistakeIsReportedWithItsLine(text: String, line: Int, key: String, reason: String) throws {
    let reader = read(text)
    let problem = try #require(reader.problems.first)
    #expect(reader.problems.count == 1)
    #expect((problem.line, problem.key) == (line, key))
    #expect(problem.reason.hasPrefix(reason), "\(problem.reason)")
  }

  /// Keys that clash are reported with the mistakes.
  @Test func keysThatServeTwoCommandsAreReported() {
    let reader = read("memory = 0\n[keys]\nmark = \"ctrl-e\"\nreload = \"ctrl-e\"")
    let outcome = ConfigurationSource.Outcome(configuration: reader.configuration, problems: reader.problems)
    #expect(outcome.reports.count == 2 && outcome.reports[0].hasPrefix("config.toml:1: memory: "))
    #expect(outcome.reports.last == "Keys: Ctrl-e is the key of both “mark” and “reload”.")
  }

  /// A code in quotation marks would not lead to the file. `%%` is a percent sign, and quotation marks beside a code are right.
  @Test(arguments: [
    ("exiftool '%f'", "'%f'"), ("cp \"%s\" /media", "\"%s\""), ("sh -c 'a %f'", "'%f'"), ("a \"it's %f\"", "\"%f\""),
    ("exiftool %f", nil), ("date '+%%s' %f", nil), ("cp %s '/media/my stick'", nil), ("a 'b'%f\"c\"", nil),
    ("a it\\'s %f", nil), ("a '\\' %f", nil),
  ])
  func aCodeInQuotationMarksIsFound(line: String, code: String?) {
    #expect(UserCommand(name: "A", line: line, place: .background).quotedCode == code)
  }

  @Test func theRestOfAFaultyFileCounts() {
    let reader = read("rows = \"huge\"\nmemory = 30\n[keys]\nquit = \"Ctrl-q\"\nmark = \"Nokey\"\n")
    #expect(reader.problems.map(\.text).map { $0.split(separator: " ")[0] } == ["config.toml:1:", "config.toml:5:"])
    #expect(reader.configuration.memory == 30)
    #expect(reader.configuration.settings.rowSize == .normal)
    #expect(reader.configuration.settings.keys != KeyConfiguration())
  }

  @Test func aSyntaxErrorHasItsLine() throws {
    let reader = read("memory = 30\ntheme = dark\n")
    let problem = try #require(reader.problems.first)
    #expect(problem.line == 2 && problem.key.isEmpty)
    #expect(reader.configuration == Configuration())
  }
}
