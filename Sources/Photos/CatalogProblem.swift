/// What is wrong in a source of photos, and where.
public struct CatalogProblem: Hashable, Sendable, CustomStringConvertible {
  public enum Place: Hashable, Sendable {
    /// In a text: the line, the column (in bytes) and the row count from 1. The row is the photo that it costs; nil
    /// where it is none of a photo's.
    case text(line: Int, column: Int, row: Int?)
    /// As the folder that is shown has it.
    case file(String)
    /// A whole folder, which the reason names.
    case folder
    /// Counted from 1.
    case page(Int)
  }

  public let place: Place
  /// Not printable yet.
  public let reason: String

  public init(_ place: Place, reason: String) {
    (self.place, self.reason) = (place, reason)
  }

  public var description: String {
    switch place {
    case .text(let line, let column, let row):
      "line \(line), column \(column)\(row.map { ", row \($0)" } ?? ""): \(reason)"
    case .file(let name): "\(name): \(reason)"
    case .folder: reason
    case .page(let number): "page \(number): \(reason)"
    }
  }
}

extension CatalogProblem.Place {
  /// In a text.
  public var line: Int? { if case .text(let line, _, _) = self { line } else { nil } }
  public var row: Int? { if case .text(_, _, let row) = self { row } else { nil } }

  /// The same place, where no photo is.
  public var ofNoRow: Self {
    if case .text(let line, let column, _) = self { .text(line: line, column: column, row: nil) } else { self }
  }
}

/// The problems of a catalog: how many there are, and the first of them.
public struct CatalogProblems: Hashable, Sendable {
  /// The most that are kept, unless all are wanted.
  public static let mostKept = 1000

  public private(set) var count = 0
  public private(set) var first: [CatalogProblem] = []
  private let mostKept: Int

  public init(mostKept: Int = mostKept) { self.mostKept = mostKept }

  public mutating func append(_ problem: CatalogProblem) {
    count += 1
    if first.count < mostKept { first.append(problem) }
  }
}
