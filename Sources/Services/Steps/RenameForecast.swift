/// The way in which many photos can be renamed, or the reasons why they can't.
public struct RenameForecast: Hashable, Sendable {
  /// The renames in an order in which no photo gets a name that another one still has. A photo gets a temporary name first if two
  /// photos swap theirs, or if only the case of its letters changes on a disk that does not tell them apart.
  public var renames: [FileRename] = []
  /// The reasons why photos can't be renamed, by their places in the request.
  public var obstacles: [Int: String] = [:]

  /// Creates the forecast of a request without photos.
  public init() {}
}
