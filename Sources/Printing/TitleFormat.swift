import Gallery

/// The text above an image, as the user writes it: with codes such as `%f` in place of what differs from image to image.
public struct TitleFormat: Hashable, Sendable {
  /// The properties of an image that a title can have.
  public struct Facts: Hashable, Sendable {
    /// The file's name as the user wrote it.
    public var path: String
    /// The file's name without its folder.
    public var name: String
    /// The width of the image in pixels.
    public var width: Int
    /// The height of the image in pixels.
    public var height: Int
    /// The image's number among all images, from 1.
    public var number: Int
    /// The number of all images.
    public var count: Int

    /// Creates the properties of an image.
    public init(path: String, name: String, width: Int, height: Int, number: Int, count: Int) {
      self.path = path
      self.name = name
      self.width = width
      self.height = height
      self.number = number
      self.count = count
    }
  }

  private enum Part: Hashable {
    case text(String)
    case code(Character)
  }

  private let parts: [Part]

  /// The codes with their meanings.
  public static let codes: [(code: String, meaning: String)] = table.map { ("%\($0.code)", $0.meaning) }

  private static let table: [(code: Character, meaning: String, value: @Sendable (Facts) -> String)] = [
    ("f", "the file as given", { $0.path }),
    ("b", "its name without the folder", { $0.name }),
    ("w", "the width in pixels", { String($0.width) }),
    ("h", "the height in pixels", { String($0.height) }),
    ("n", "the number of the image", { String($0.number) }),
    ("N", "the number of all images", { String($0.count) }),
    ("%", "a percent sign", { _ in "%" }),
  ]

  /// Creates a format; returns nil if it has a `%` before anything else than a code.
  public init?(_ format: String) {
    var parts: [Part] = []
    var rest = format[...]
    while let sign = rest.firstIndex(of: "%") {
      guard let code = rest[sign...].dropFirst().first, Self.table.contains(where: { $0.code == code }) else {
        return nil
      }
      parts += [.text(String(rest[..<sign])), .code(code)]
      rest = rest[sign...].dropFirst(2)
    }
    self.parts = parts + [.text(String(rest))]
  }

  /// Returns the title of an image as one printable line.
  public func title(of image: Facts) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .code(let code): Self.table.first { $0.code == code }?.value(image) ?? ""
      }
    }.joined().printable
  }
}
