/// A problem in a source of photos, with its place and its reason.
public struct CatalogProblem: Hashable, Sendable {
  /// The place of a problem.
  public enum Place: Hashable, Sendable {
    /// A place in a text. The line, the column (in bytes) and the row count from 1. The row is the number of the photo
    /// that has the problem, or nil if the problem is not part of a photo.
    case text(line: Int, column: Int, row: Int?)
    /// A file, as a path relative to the folder that is shown.
    case file(String)
    /// A whole folder, which the fault names.
    case folder
    /// A page of the source, counted from 1.
    case page(Int)
  }

  /// The reason of a problem. Texts in it come from the source and have not been made printable.
  public enum Fault: Hashable, Sendable {
    /// The text is not JSON, or cannot be a catalog.
    case syntax(SyntaxFault)
    /// The member of this name is missing or invalid.
    case value(of: String, ValueFault)
    /// The member of this name is a duplicate.
    case duplicate(String)
    /// An earlier photo has this id.
    case duplicateID(Photo.ID)
    /// The photo is not an object.
    case notAnObject
    /// There is no image at this address.
    case missingImage(String)
    /// The photo has a latitude without a longitude, or the other way round.
    case incompletePlace
    /// A path of a list is longer than any path of a file.
    case pathTooLong
    /// There is no file at this path of a list.
    case noFile(String)
    /// The source could not be read to its end.
    case reading(ReadingFault)
    /// The address of the next page must not be fetched.
    case nextPage(String)
    /// The file of the photo cannot be read.
    case photo(PhotoFault)
    /// The file of the photo ends before its image does.
    case cutOff
    /// A reason in the words of another machine, which has the photo.
    case told(String)
    /// The archive has so many archives in it, which are not opened.
    case archives(Int)
    /// The folder cannot be read.
    indirect case source(APIError)
    /// The text of a page has a problem.
    indirect case text(CatalogProblem)
  }

  /// The place of the problem.
  public let place: Place
  /// The reason of the problem.
  public let fault: Fault

  /// Creates a problem.
  public init(_ place: Place, _ fault: Fault) {
    self.place = place
    self.fault = fault
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
