import ImageWire

/// The user's choice of an output format, as it is named on the command line.
public struct OutputChoice: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// The best format that is known to work on the terminal.
  public static let auto = OutputChoice(name: "auto")
  /// No images.
  public static let none = OutputChoice(name: "none")
  /// Images of the kitty graphics protocol.
  public static let kitty = OutputChoice(name: KittyFormat().name)
  /// Characters.
  public static let symbols = OutputChoice(name: SymbolFormat().name)
  /// All choices in the order in which they are listed to the user.
  public static let allCases = [auto] + OutputFormatTable.rows.map { OutputChoice(name: $0.name) } + [none]

  public let rawValue: String

  /// Creates the choice with a name, or nil if there is none of that name.
  public init?(rawValue: String) {
    self.init(name: rawValue)
    guard Self.allCases.contains(self) else { return nil }
  }

  private init(name: String) { rawValue = name }

  /// Returns the format for a terminal, or nil if no images are wanted.
  ///
  /// - Parameters:
  ///   - depth: The number of colors that the screen uses.
  ///   - charset: The characters that the locale can encode.
  public func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    row(on: capabilities).map {
      OutputFormatTable.format(of: $0, on: capabilities, depth: depth, charset: charset)
    }
  }

  /// Returns why ``format(on:depth:charset:)`` gives that format, as a clause.
  public func reason(on capabilities: Capabilities, depth: ColorDepth) -> String {
    let reason = self == .auto ? OutputFormatTable.best(on: capabilities).reason : "chosen with --pictures \(rawValue)"
    return [reason, row(on: capabilities)?.remark(on: capabilities, depth: depth)].compactMap(\.self)
      .joined(separator: "; ")
  }

  private func row(on capabilities: Capabilities) -> (any OutputFormatRow)? {
    self == .auto
      ? OutputFormatTable.best(on: capabilities).row : OutputFormatTable.rows.first { $0.name == rawValue }
  }
}
