import Finding
import Gallery
import ImageWire
import Images
import Photos
import Screens
import TOMLKit
import Terminal

/// A setting of the configuration file, with its words and its values.
struct Setting: Sendable {
  /// The name in the file.
  let name: String
  /// The name in the gallery's settings; nil if they don't list it.
  var title: LocalizedText?
  /// The explanation, in one or more lines of a comment.
  let comment: String
  /// The default value, as the file has it.
  let standard: String
  /// Returns the values that the gallery's settings offer.
  var values: @Sendable (_ choices: Choices) -> [String] = { _ in [] }
  /// Reads a value.
  let read:
    @Sendable (_ value: any TOMLValueConvertible, _ choices: Choices, inout Configuration) throws(SettingFault) -> Void

  /// All settings but keys and commands, in the order of the file.
  static let all: [Setting] = [
    Setting(
      name: "theme", title: LocalizedText("Theme"),
      comment: """
        The colors of the interface. "auto" follows the terminal's background. `tintype config --themes` lists the others,
        and `tintype config --theme NAME` prints one, to be changed and saved as themes/NAME.toml beside this file.
        """, standard: #""auto""#, values: { $0.themes.names },
      read: { value, choices, configuration throws(SettingFault) in
        configuration.settings.scheme = try choices.themes.scheme(named: try string(value))
      }),
    Setting(
      name: "language", title: LocalizedText("Language"),
      comment: """
        The language of the interface, such as "de" or "zh_TW", or "auto" for the locale's. A message that is on the screen
        already stays as it is.
        """, standard: #""auto""#, values: { [automatic] + $0.languages() },
      read: { value, choices, configuration throws(SettingFault) in
        let (name, names) = (try string(value), [automatic] + choices.languages())
        guard names.contains(name) else { throw SettingFault("It takes one of \(names.quoted).") }
        configuration.settings.language = name == automatic ? nil : name
      }),
    choice(
      "pictures", title: LocalizedText("Pictures"), "How images are shown.", OutputChoice.allCases.map(\.rawValue),
      standard: "auto",
      OutputChoice.init(rawValue:), \.settings.images),
    choice(
      "glyphs", "The characters that images are drawn with where the terminal shows no pixels.",
      GlyphChoice.allCases.map(\.rawValue), standard: "auto", GlyphChoice.init(rawValue:), \.settings.glyphs),
    choice(
      "colors", "How many colors are used, from the next start on.", ["auto"] + ColorDepth.allCases.map(\.rawValue),
      standard: "auto", { $0 == "auto" ? .some(nil) : ColorDepth(rawValue: $0) }, \.colors),
    choice(
      "rows", title: LocalizedText("Row size"), "The size of the list's rows and thumbnails.",
      RowSize.allCases.map(\.rawValue), standard: "normal",
      RowSize.init(rawValue:), \.settings.rowSize),
    Setting(
      name: "sort",
      comment: """
        The order of photos: \(orders.quoted),
        each also with " reversed" after it.
        """, standard: #""\#(PhotoOrder().key.name)""#
    ) { value, _, configuration throws(SettingFault) in
      configuration.settings.order = try order(named: try string(value))
    },
    flag(
      "advance", title: LocalizedText("Auto-advance"), "Whether the highlight moves on after a photo was rated.",
      standard: true,
      \.settings.advances),
    flag(
      "stacks", title: LocalizedText("Stack similar photos"),
      "Whether bursts and other similar photos of a folder are listed as one.", standard: true,
      \.settings.stacks),
    flag(
      "animations", title: LocalizedText("Play animations"),
      "Whether animations such as GIFs play in the details and in the viewer. Over a slow line, they play in the viewer alone.",
      standard: true,
      \.settings.animations),
    choice(
      "reject-beaten",
      "Whether the key that rejects the beaten photos of a comparison asks first, once in a session, or rejects them.",
      RejectBeaten.allCases.map(\.rawValue), standard: "ask", RejectBeaten.init(rawValue:), \.settings.rejectBeaten),
    flag(
      "plain", "Whether signs are words, for screen readers, from the next start on. The option --plain says more.",
      standard: false, \.isPlain),
    Setting(
      name: "memory", comment: "The memory for prepared images in megabytes, from the next start on.",
      standard: "\(ImageLoader.usualMegabytes)"
    ) { value, _, configuration throws(SettingFault) in
      guard let memory = value.int, memories.contains(memory) else {
        throw SettingFault("It takes a number from \(memories.lowerBound) to \(memories.upperBound).")
      }
      configuration.memory = memory
    },
    choice(
      "sidecars", "The names of new sidecars, from the next start on: a.jpg.xmp (long) or a.xmp (short).",
      SidecarNames.allCases.map(\.rawValue), standard: "long", SidecarNames.init(rawValue:), \.sidecars),
    Setting(
      name: "edited",
      comment: """
        The endings of the names of edited versions, as in IMG_1_edited.jpg, from the next start on. Such a file and its
        original in the same folder are one photo. [] makes each a photo of its own.
        """, standard: "[\(PhotoParts.usualEndings.quoted)]"
    ) { value, _, configuration throws(SettingFault) in
      configuration.editedEndings = try texts(value)
    },
    Setting(
      name: "code-lists",
      comment: """
        Files of short codes and the texts they stand for, in this folder or with a whole path. Each line has a code, a tab, and
        a text. =code= in a caption, a keyword or a template becomes the text.
        """, standard: "[]"
    ) { value, choices, configuration throws(SettingFault) in
      for file in try texts(value) { configuration.settings.codes.add(try choices.text(of: file)) }
    },
    Setting(
      name: "code-mark", comment: "The character before and after a code.", standard: #""=""#
    ) { value, _, configuration throws(SettingFault) in
      let text = try string(value)
      guard let mark = text.first, text.count == 1, !mark.isWhitespace, !mark.isLetter, !mark.isNumber else {
        throw SettingFault("It takes one character that is no letter, digit or space.")
      }
      configuration.settings.codes.mark = mark
    },
  ]

  /// The sizes of memory that can be set, in megabytes.
  static let memories = 1...4096

  private static let automatic = "auto"

  private static func flag(
    _ name: String, title: LocalizedText? = nil, _ comment: String, standard: Bool,
    _ path: any WritableKeyPath<Configuration, Bool> & Sendable
  ) -> Setting {
    Setting(
      name: name, title: title, comment: comment, standard: "\(standard)", values: { _ in ["true", "false"] },
      read: { value, _, configuration throws(SettingFault) in
        guard let flag = value.bool else { throw SettingFault("It takes true or false.") }
        configuration[keyPath: path] = flag
      })
  }

  private static func choice<Value>(
    _ name: String, title: LocalizedText? = nil, _ comment: String, _ values: [String], standard: String,
    _ make: @escaping @Sendable (String) -> Value?,
    _ path: any WritableKeyPath<Configuration, Value> & Sendable
  ) -> Setting {
    Setting(
      name: name, title: title, comment: "\(comment)\n\(values.quoted)", standard: "\"\(standard)\"",
      values: { _ in values },
      read: { value, _, configuration throws(SettingFault) in
        guard let chosen = make(try string(value)) else { throw SettingFault("It takes one of \(values.quoted).") }
        configuration[keyPath: path] = chosen
      })
  }

  /// Returns a value as the file has it, such as `"kitty"` or `true`.
  func literal(_ value: String) -> String {
    guard standard.hasPrefix("\"") else { return value }
    return "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// Returns the value of a file, or the default one if the file has none that is offered.
  func value(in table: TOMLTable, _ choices: Choices) -> String {
    let value = table[name].flatMap { $0.string ?? $0.bool.map { "\($0)" } }
    return value.flatMap { values(choices).contains($0) ? $0 : nil } ?? standard.replacing("\"", with: "")
  }

  static func string(_ value: any TOMLValueConvertible) throws(SettingFault) -> String {
    guard let text = value.string else { throw SettingFault("It takes a text in quotation marks.") }
    return text
  }

  private static func texts(_ value: any TOMLValueConvertible) throws(SettingFault) -> [String] {
    let texts = value.array?.map(\.string) ?? [nil]
    guard !texts.contains(nil) else { throw SettingFault("It takes a list of texts, such as [\"_edited\"].") }
    return texts.compactMap(\.self)
  }

  private static let orders = PhotoOrder.Key.allCases.map(\.name)

  private static func order(named name: String) throws(SettingFault) -> PhotoOrder {
    guard let order = PhotoOrder(named: name) else {
      throw SettingFault("It takes one of \(orders.quoted), each also with “reversed” after it.")
    }
    return order
  }
}
