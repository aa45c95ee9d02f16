import Gallery

/// The choices of an export that a user can save: what becomes of each photo, and the names of the new files.
public struct ExportPreset: Hashable, Sendable {
  /// The name of the preset.
  public var name: String
  /// The choices of the export but for the names.
  public var specification = ExportSpecification()
  /// The names of the new files.
  public var names = NamePattern.ownName

  /// Creates a preset that exports JPEGs in the photos' own sizes and with their names.
  public init(name: String = "") { self.name = name }

  /// The presets that need no configuration.
  public static var own: [ExportPreset] {
    var web = ExportPreset(name: localized("For the web"))
    web.specification.size = .longEdge(2048)
    return [ExportPreset(name: localized("Full size")), web]
  }

  /// A reason why a choice is invalid, as a sentence in English.
  public struct Fault: Error, Hashable, Sendable {
    /// The sentence.
    public let reason: String

    /// Creates a fault with its sentence.
    public init(reason: String) { self.reason = reason }
  }

  /// A choice, as the command line and the configuration name it.
  public struct Field: Sendable {
    /// The name.
    public let name: String
    /// The values that it takes, for messages.
    public let values: String
    /// Reads a value. Returns false if it is another one.
    let read: @Sendable (String, inout ExportPreset) throws(NamePattern.Fault) -> Bool
  }

  /// All choices.
  public static let fields = [
    choice("format", ExportSpecification.Format.allCases, \.name, \.specification.format),
    Field(name: "long-edge", values: "a number of pixels from 16 to 16384") { text, preset in
      guard let side = Int(text), ExportSpecification.sides.contains(side) else { return false }
      preset.specification.size = .longEdge(side)
      return true
    },
    Field(name: "box", values: "a width and a height in pixels, such as 1920x1080") { text, preset in
      let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy(ExportSpecification.sides.contains) else { return false }
      preset.specification.size = .box(width: sides[0], height: sides[1])
      return true
    },
    Field(name: "quality", values: "a number from 1 to 100") { text, preset in
      guard let quality = Int(text), ExportSpecification.qualities.contains(quality) else { return false }
      preset.specification.quality = .fixed(quality)
      return true
    },
    Field(name: "limit", values: "a number of kB from 1 to 1000000") { text, preset in
      guard let kilobytes = Int(text), (1...1_000_000).contains(kilobytes) else { return false }
      preset.specification.quality = .limit(bytes: kilobytes * 1000)
      return true
    },
    choice("sharpen", ExportSpecification.Sharpening.allCases, \.name, \.specification.sharpening),
    choice("color", [false, true], { $0 ? "keep" : "srgb" }, \.specification.keepsColors),
    choice("metadata", ExportSpecification.Metadata.allCases, \.name, \.specification.metadata),
    Field(name: "watermark", values: "a line of up to 200 characters") { text, preset in
      guard text.count <= ExportSpecification.longestWatermark, text.printable == text else { return false }
      preset.specification.watermark = text
      return true
    },
    Field(name: "name", values: "a pattern such as {date}_{seq:3}") { text, preset throws(NamePattern.Fault) in
      preset.names = try NamePattern(text)
      return true
    },
  ]

  private static func choice<Value>(
    _ name: String, _ values: [Value], _ text: @escaping @Sendable (Value) -> String,
    _ path: any WritableKeyPath<ExportPreset, Value> & Sendable
  ) -> Field where Value: Sendable {
    Field(name: name, values: "one of \(values.map(text).joined(separator: ", "))") { name, preset in
      guard let value = values.first(where: { text($0) == name }) else { return false }
      preset[keyPath: path] = value
      return true
    }
  }

  /// Sets a choice.
  public mutating func set(_ name: String, to text: String) throws(Fault) {
    guard let field = Self.fields.first(where: { $0.name == name }) else {
      throw Fault(
        reason: "There is no “\(name.printable)” here. There are \(Self.fields.map(\.name).joined(separator: ", ")).")
    }
    do throws(NamePattern.Fault) {
      if try field.read(text, &self) { return }
    } catch { throw Fault(reason: error.message) }
    throw Fault(reason: "It takes \(field.values).")
  }

  /// Checks choices that depend on each other.
  public func check() throws(Fault) {
    if specification.format == .png, case .limit? = specification.quality {
      throw Fault(reason: "A PNG loses nothing, so its size has no limit. Choose another format.")
    }
  }
}

extension ExportPreset {
  /// Returns the paths of the new files of photos. Two of them never get the same one: the second one gets a number.
  ///
  /// - Parameters:
  ///   - photos: The photos, in the order in which they are numbered.
  ///   - folder: The folder of the new files.
  public func targets(
    of photos: [NamePattern.Values], in folder: FilePath
  ) -> [Result<FilePath, NamePattern.Fault>] {
    var taken: Set<FilePath> = []
    return photos.map { photo in
      do throws(NamePattern.Fault) {
        let name = try names.name(of: photo) + Array(".\(specification.format.suffix)".utf8)
        let path = folder.appending(name)
        let free = (1...).lazy.map { path.numbered($0) }.first { !taken.contains($0) } ?? path
        taken.insert(free)
        return .success(free)
      } catch {
        return .failure(error)
      }
    }
  }
}
