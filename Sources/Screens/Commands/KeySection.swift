/// A section of the help's keys, for the manual page.
public struct KeySection: Sendable {
  /// The names of keys, such as "Home, gg", and what they do.
  public typealias Row = (keys: String, title: String)

  /// The heading, such as "Moving".
  public let heading: String
  /// The rows, in the order of the help.
  public let rows: [Row]

  /// All keys of the gallery, in the order of the help.
  public static var all: [KeySection] {
    let table = CommandTable.standard
    return table.sections(of: "", []).map { section in
      let rows = table.helpRows(of: section.bindings).map { binding in
        (keys: table.helpKeyNames(of: binding), title: binding.range?.title ?? binding.title)
      }
      return KeySection(heading: section.heading, rows: rows)
    }
  }
}
