/// Where a person's programs keep what they remember, after the XDG Base Directory Specification 0.8.
public struct StoreFolders: Hashable, Sendable {
  /// What the program remembers; nil where the environment names no place.
  public let state: String?
  /// What can be made again; nil where the environment names no place.
  public let cache: String?
  /// What the person made; nil where the environment names no place.
  public let data: String?

  /// - Parameter environment: As `ProcessInfo` has it. A path that is not absolute counts as none, as the
  ///   specification wants it.
  public init(environment: [String: String]) {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = absolute("HOME")
    state = (absolute("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }).map { $0 + "/tintype" }
    cache = (absolute("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }).map { $0 + "/tintype" }
    data = (absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }).map { $0 + "/tintype" }
  }
}
