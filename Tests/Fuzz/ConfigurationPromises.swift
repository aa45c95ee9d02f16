import Foundation
import Gallery
import Photos
import TOMLKit

@testable import Configuration

/// The promises of the user's configuration: settings, a change of one, and lists of codes.
struct ConfigurationPromises {
  private let kind: UInt8
  private let size: Int
  private let bytes: [UInt8]

  private static let choices = Choices(themes: Themes(own: nil, bundled: "/nowhere"), languages: { ["en", "de"] })

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    kind = choices.byte()
    size = Int(choices.byte())
    bytes = Array(choices.rest)
  }

  func check() throws {
    // The file is not read if it is not in UTF-8.
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    switch kind % 3 {
    case 0: try checkReading(text)
    case 1: try checkEdit(text)
    default: try checkCodes(text)
    }
  }

  private func checkReading(_ text: String) throws {
    let reader = ConfigurationReader(text, file: "config.toml", choices: Self.choices)
    let lineCount = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    for problem in reader.problems {
      try promise(problem.text.isHarmless, "mistakes are printable")
      try promise(problem.line.map { (1...lineCount).contains($0) } ?? true, "mistakes are in lines of the file")
    }
    let configuration = reader.configuration
    let names =
      configuration.sources.map(\.name) + configuration.exports.map(\.name) + configuration.templates.map(\.name)
    try promise(names.allSatisfy(\.isHarmless), "names are printable")
  }

  private func checkEdit(_ text: String) throws {
    let setting = Setting.all[size % Setting.all.count]
    guard let edit = try? SettingEdit(text, setting: setting.name, to: setting.standard) else { return }
    let (old, new) = (try TOMLDocument.table(text), try TOMLDocument.table(edit.text))
    try promise(Set(new.keys) == Set(old.keys).union([setting.name]), "a change adds no other setting")
    let again = try? SettingEdit(edit.text, setting: setting.name, to: setting.standard)
    try promise(again?.text == edit.text, "a change that is made twice changes nothing")
  }

  private func checkCodes(_ text: String) throws {
    var codes = CodeList()
    let half = text.prefix(size)
    codes.add(String(half))
    let expanded = codes.expanding(text)
    let mostMarks = text.count { $0 == codes.mark } + 1
    try promise(
      expanded.utf8.count <= text.utf8.count + mostMarks * 3 * half.utf8.count, "each code is replaced by its text")
    _ = codes.keywords(of: [text])
  }
}
