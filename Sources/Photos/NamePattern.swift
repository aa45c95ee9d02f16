import Gallery

/// The names that photos get, as the user writes them: `{date:%Y-%m-%d}_{seq:3}_{name}`.
///
/// A name has no suffix yet, and is that of a file in one folder: no value makes it lead elsewhere, hides the file or is
/// longer than file systems allow. ``fields`` lists what can be in braces.
public struct NamePattern: Hashable, Sendable {
  /// The values of one photo, of which its name is made.
  public struct Values: Sendable {
    /// The path of the photo's file.
    public var path: FilePath
    /// The time of the photo's own clock (``Photo/clock``).
    public var clock: Double
    /// The metadata, with the decisions about the photo.
    public var metadata: PhotoMetadata
    /// The photo's number among those that get names, from 1.
    public var sequence: Int

    /// Creates the values of a photo with a file.
    public init(photo: Photo, path: FilePath, sequence: Int) {
      var metadata = photo.metadata ?? PhotoMetadata()
      metadata.camera = metadata.camera ?? photo.camera
      self.init(path: path, clock: photo.clock, metadata: metadata, sequence: sequence)
    }

    /// Creates the values of a photo.
    public init(path: FilePath, clock: Double, metadata: PhotoMetadata, sequence: Int) {
      self.path = path
      self.clock = clock
      self.metadata = metadata
      self.sequence = sequence
    }
  }

  private enum Part: Hashable {
    case text(String)
    case field(String, Format)
  }

  /// The text of a field behind its colon.
  enum Format: Hashable {
    case plain
    case digits(Int)
    case date(String)
  }

  /// The value of a field.
  private enum FieldValue {
    /// The name of a file, or a part of it.
    case file([UInt8])
    case text(String?)
    /// Characters that any name can have.
    case characters([UInt8])

    /// The value in the name of a file.
    var inName: [UInt8] {
      switch self {
      case .file(let name): name.inName
      case .text(let text): text.inName
      case .characters(let characters): characters
      }
    }

    /// The value in a text.
    var text: String {
      switch self {
      case .file(let bytes), .characters(let bytes): String(decoding: bytes, as: UTF8.self)
      case .text(let text): text ?? ""
      }
    }
  }

  /// The kind of format that a field can have.
  private enum Formats {
    case plain, digits, date
  }

  /// The text of the pattern.
  public let text: String
  private let parts: [Part]

  /// The number of bytes of the longest name. Up to 255, which Linux's file systems allow, there is room for a number and
  /// for the suffixes of a photo and its sidecar: `-12.jpeg.xmp`.
  public static let longest = 235

  /// The fields with their meanings.
  public static let fields: [(field: String, meaning: String)] = table.map {
    switch $0.formats {
    case .plain: ("{\($0.name)}", $0.meaning)
    case .digits: ("{\($0.name):3}", $0.meaning)
    case .date: ("{\($0.name):%Y-%m-%d}", $0.meaning)
    }
  }

  private static let table:
    [(name: String, formats: Formats, meaning: String, value: @Sendable (Values, Format) -> FieldValue)] = [
      ("name", .plain, "the name of the file, without its suffix", { photo, _ in .file(photo.path.stemName) }),
      (
        "number", .digits, "the number in that name, such as 1234 of DSC_1234",
        { .characters($1.digits(of: $0.path.number)) }
      ),
      (
        "seq", .digits, "1, 2, 3 and so on, with at least as many digits",
        { .characters($1.digits(of: String($0.sequence))) }
      ),
      (
        "date", .date, "the time of the photo (%Y %y %m %d %H %M %S)",
        { .characters($1.time(CalendarTime(clock: $0.clock))) }
      ),
      ("camera", .plain, "the camera", { photo, _ in .text(photo.metadata.camera) }),
      ("lens", .plain, "the lens", { photo, _ in .text(photo.metadata.lens) }),
      ("rating", .plain, "0 to 5 stars, or “rejected”", { photo, _ in .characters(photo.metadata.ratingInName) }),
      ("label", .plain, "the color label", { photo, _ in .text(photo.metadata.label) }),
      ("keyword", .plain, "the first keyword", { photo, _ in .text(photo.metadata.keywords.first) }),
      ("title", .plain, "the title", { photo, _ in .text(photo.metadata.title) }),
      ("creator", .plain, "the creator", { photo, _ in .text(photo.metadata.creator) }),
      ("city", .plain, "the city", { photo, _ in .text(photo.metadata.city) }),
      ("country", .plain, "the country", { photo, _ in .text(photo.metadata.country) }),
      ("folder", .plain, "the name of the file’s folder", { photo, _ in .file(Array(photo.path.folder.name)) }),
    ]

  /// The pattern by which photos keep their names.
  public static let ownName = NamePattern(text: "{name}", parts: [.field("name", .plain)])

  private init(text: String, parts: [Part]) {
    self.text = text
    self.parts = parts
  }

  /// Reads a pattern.
  public init(_ text: String) throws(Fault) { try self.init(text, allowsSlashes: false) }

  /// Reads a pattern.
  ///
  /// - Parameter allowsSlashes: Whether the text outside of the fields, and the formats of dates, may have slashes.
  init(_ text: String, allowsSlashes: Bool) throws(Fault) {
    self.text = text
    parts = try Self.parts(of: text, allowsSlashes)
    try check(allowsSlashes)
  }

  /// Reads a pattern of a text that is no name, so that it may have any length and any characters.
  init(ofText text: String) throws(Fault) {
    self.text = text
    parts = try Self.parts(of: text, true)
  }

  private static func parts(of text: String, _ allowsSlashes: Bool) throws(Fault) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { "{}".contains($0) }) {
      parts.append(.text(String(rest[..<brace])))
      rest = rest[brace...]
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        parts.append(.text(String(rest.removeFirst())))
        rest.removeFirst()
      } else {
        guard rest.removeFirst() == "{", let end = rest.firstIndex(of: "}") else { throw .brace }
        parts.append(try field(rest[..<end], allowsSlashes))
        rest = rest[end...].dropFirst()
      }
    }
    return parts + [.text(String(rest))]
  }

  private static func value(of field: String, _ photo: Values, _ format: Format) -> FieldValue? {
    table.first { $0.name == field }?.value(photo, format)
  }

  /// Returns the pattern with the codes outside of its fields replaced. The values of a photo are no codes.
  func expanding(_ codes: CodeList) -> NamePattern {
    if codes.isEmpty { return self }
    return NamePattern(
      text: text,
      parts: parts.map { if case .text(let text) = $0 { .text(codes.expanding(text)) } else { $0 } })
  }

  /// Returns the text with the values of a photo, which is no name of a file.
  func text(of photo: Values) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name, let format): Self.value(of: name, photo, format)?.text ?? ""
      }
    }.joined()
  }

  /// Returns the name of a photo in a folder, in bytes that need not be UTF-8, without a suffix.
  ///
  /// A value that makes the name too long is shortened. Throws ``Fault/noName`` if all values are empty.
  public func name(of photo: Values) throws(Fault) -> [UInt8] {
    var name = bytes(of: photo)
    guard name.contains(where: { !"-_. ".utf8.contains($0) }) else { throw .noName }
    // A dot would hide the file.
    if name.first == UInt8(ascii: ".") { name[0] = UInt8(ascii: "_") }
    return name
  }

  /// Returns the text with the values of a photo. A value that makes it too long is shortened.
  func bytes(of photo: Values) -> [UInt8] {
    var pieces = parts.map { part -> [UInt8] in
      switch part {
      case .text(let text): Array(text.utf8)
      case .field(let name, let format): Self.value(of: name, photo, format)?.inName ?? []
      }
    }
    shorten(&pieces)
    return Array(pieces.joined())
  }
}

extension NamePattern {
  /// Returns the field of the text between two braces.
  private static func field(_ text: Substring, _ allowsSlashes: Bool) throws(Fault) -> Part {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    guard let field = table.first(where: { $0.name == name }) else { throw .unknownField(name) }
    guard halves.count == 2 else { return .field(name, .plain) }
    switch field.formats {
    case .digits: if let digits = Int(halves[1]), (1...9).contains(digits) { return .field(name, .digits(digits)) }
    case .date:
      if Format.isTime(halves[1].filter { !allowsSlashes || $0 != "/" }[...]) {
        return .field(name, .date(String(halves[1])))
      }
    case .plain: break
    }
    throw .format(String(text))
  }

  /// Checks what the user has written outside of the fields, and in the formats of dates.
  private func check(_ allowsSlashes: Bool) throws(Fault) {
    for case .text(let text) in parts
    where text.unicodeScalars.contains(where: { $0.isForbidden && !(allowsSlashes && $0 == "/") }) {
      throw .forbiddenCharacter
    }
    let written = parts.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    if written > 100 { throw .tooLong }
    if parts.allSatisfy({ $0 == .text("") }) { throw .noName }
  }

  /// Shortens the longest values until the name is not too long.
  private func shorten(_ pieces: inout [[UInt8]]) {
    let values = parts.indices.filter { if case .field = parts[$0] { true } else { false } }
    while case let excess = pieces.reduce(0, { $0 + $1.count }) - Self.longest, excess > 0,
      let index = values.max(by: { pieces[$0].count < pieces[$1].count })
    {
      // Half of the value is left, so that another one is shortened, too, if it is as long.
      let count = max(pieces[index].count - excess, pieces[index].count / 2)
      pieces[index] = pieces[index].first(count)
    }
  }
}

extension NamePattern {
  /// The fault of a pattern, or of the name that it gives a photo.
  public enum Fault: Error, Hashable, Sendable {
    /// There is no field with this name.
    case unknownField(String)
    /// The field can't be written so. The text is the one between the braces.
    case format(String)
    /// One of two braces is missing.
    case brace
    /// The pattern has a slash or a control character outside of the fields.
    case forbiddenCharacter
    /// The pattern without the values is longer than a name should be.
    case tooLong
    /// The name is empty, or has only spaces and punctuation.
    case noName
    /// The pattern for folders begins at the root of the file system.
    case absoluteFolder

    /// The fault as a sentence for the user.
    public var message: String {
      switch self {
      case .unknownField(let name):
        localized("Unknown field {\(name.printable)}. Fields: \(NamePattern.fieldNames).")
      case .format(let text):
        localized("{\(text.printable)} is invalid. Examples: {name}, {seq:3}, {date:%Y-%m-%d}.")
      case .brace: localized("A brace is missing. Write {{ and }} for braces in the name.")
      case .forbiddenCharacter: localized("Names of files can’t have slashes and control characters.")
      case .tooLong: localized("The pattern for names is too long.")
      case .noName: localized("The pattern leaves the name empty. Add {name} or {seq}.")
      case .absoluteFolder:
        localized("The folders are below the one of the import, so the pattern begins with no slash.")
      }
    }
  }

  private static var fieldNames: String { table.map(\.name).joined(separator: ", ") }
}
