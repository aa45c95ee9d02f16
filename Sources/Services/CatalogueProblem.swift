/// What is wrong in a catalogue, and where. The line, the column (in bytes) and the row count from 1.
public struct CatalogueProblem: Hashable, Sendable, CustomStringConvertible {
  public let line: Int
  public let column: Int
  /// The photo that it costs; nil where it is none of a photo's.
  public let row: Int?
  /// Not printable yet.
  public let reason: String

  public var description: String {
    "line \(line), column \(column)\(row.map { ", row \($0)" } ?? ""): \(reason)"
  }
}

/// The problems of a catalogue: how many there are, and the first of them.
public struct CatalogueProblems: Hashable, Sendable {
  /// The most that are kept.
  public static let mostKept = 1000

  public private(set) var count = 0
  public private(set) var first: [CatalogueProblem] = []

  public init() {}

  mutating func append(_ problem: CatalogueProblem) {
    count += 1
    if first.count < Self.mostKept { first.append(problem) }
  }
}
