import ImageWire

/// The way in which the program recognizes, names and chooses an output format. Each format has a row in a file of its own.
protocol OutputFormatRow: Sendable {
  /// The name by which the user chooses the format.
  var name: String { get }

  /// Returns whether the format is known to work on the terminal.
  func recognize(on capabilities: Capabilities) -> Recognition

  /// Returns the format with the parameters for the terminal, or nil if it can't work there.
  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat?

  /// Returns a clause about what the number of colors changes in the format, or nil if it changes nothing.
  func remark(on capabilities: Capabilities, depth: ColorDepth) -> String?

  /// Returns what the user can do to make the format work, or nil if nothing is known that would help.
  func advice(on capabilities: Capabilities) -> String?
}

extension OutputFormatRow {
  func remark(on capabilities: Capabilities, depth: ColorDepth) -> String? { nil }
  func advice(on capabilities: Capabilities) -> String? { nil }
}

/// Whether a format is known to work on a terminal. The reasons are clauses about the terminal.
enum Recognition: Equatable {
  case works(because: String)
  /// The reason is nil if it says nothing that a user would want to know.
  case isUnknown(because: String? = nil)
}
