/// A problem in a source of photos, with its place and its reason.
public struct CatalogProblem: Hashable, Sendable, CustomStringConvertible {
  /// The place of a problem.
  public enum Place: Hashable, Sendable {
    /// A place in a text. The line, the column (in bytes) and the row count from 1. The row is the number of the photo
    /// that has the problem, or nil if the problem is not part of a photo.
    case text(line: Int, column: Int, row: Int?)
    /// A file, as a path relative to the folder that is shown.
    case file(String)
    /// A whole folder, which the reason names.
    case folder
    /// A page of the source, counted from 1.
    case page(Int)
  }

  /// The place of the problem.
  public let place: Place
  /// The reason. It can quote the source and has not been made printable yet.
  public let reason: String

  /// Creates a problem.
  public init(_ place: Place, reason: String) {
    (self.place, self.reason) = (place, reason)
  }

  /// The place and the reason in one line.
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
  /// The line, or nil if the place is not in a text.
  public var line: Int? { if case .text(let line, _, _) = self { line } else { nil } }
  /// The number of the photo, or nil if the place is not in a photo of a text.
  public var row: Int? { if case .text(_, _, let row) = self { row } else { nil } }

  /// The same place without the number of a photo.
  public var ofNoRow: Self {
    if case .text(let line, let column, _) = self { .text(line: line, column: column, row: nil) } else { self }
  }
}

/// The problems of a catalog. All problems are counted, but only the first ones are kept.
public struct CatalogProblems: Hashable, Sendable {
  /// The default limit on the number of problems that are kept.
  public static let mostKept = 1000

  /// The number of all problems, including those that are not kept.
  public private(set) var count = 0
  /// The first problems, up to the limit.
  public private(set) var first: [CatalogProblem] = []
  private let mostKept: Int

  /// Creates an empty list that keeps at most `mostKept` problems.
  public init(mostKept: Int = mostKept) { self.mostKept = mostKept }

  /// Counts a problem, and keeps it unless the limit has been reached.
  public mutating func append(_ problem: CatalogProblem) {
    count += 1
    if first.count < mostKept { first.append(problem) }
  }
}
