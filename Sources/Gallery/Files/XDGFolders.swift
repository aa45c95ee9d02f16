/// The folders in which the program keeps files (XDG Base Directory Specification 0.8), as absolute paths.
///
/// A folder is nil if neither its variable nor `HOME` is an absolute path.
public struct XDGFolders: Hashable, Sendable {
  /// The folder of what the program remembers about its use, `$XDG_STATE_HOME/tintype`.
  public let state: String?
  /// The folder of what the program can make again, `$XDG_CACHE_HOME/tintype`.
  public let cache: String?
  /// The folder of what the user wrote, `$XDG_DATA_HOME/tintype`.
  public let data: String?
  /// The folder of the user's configuration, `$XDG_CONFIG_HOME/tintype`.
  public let config: String?
  /// The folder of the user's trash (Trash specification 1.0), `$XDG_DATA_HOME/Trash`.
  public let trash: String?
  /// The folder of the thumbnails that all programs of a desktop share (Thumbnail Managing Standard 0.9).
  public let thumbnails: String?

  /// Returns the folders that the variables of an environment name.
  public init(environment: [String: String]) {
    func folder(_ variable: String, _ fallback: String) -> String? {
      func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
      return absolute(variable) ?? absolute("HOME").map { $0 + fallback }
    }
    state = folder("XDG_STATE_HOME", "/.local/state").map { $0 + "/tintype" }
    let shared = folder("XDG_DATA_HOME", "/.local/share")
    data = shared.map { $0 + "/tintype" }
    trash = shared.map { $0 + "/Trash" }
    config = folder("XDG_CONFIG_HOME", "/.config").map { $0 + "/tintype" }
    let caches = folder("XDG_CACHE_HOME", "/.cache")
    cache = caches.map { $0 + "/tintype" }
    thumbnails = caches.map { $0 + "/thumbnails" }
  }

  /// The folder of images from the web.
  public var webImages: String? { cache.map { $0 + "/pictures" } }

  /// The folder of images from other machines, in the sizes in which they were shown.
  public var remoteImages: String? { cache.map { $0 + "/remote" } }

  /// The folder of files that are being copied from other machines.
  public var remoteFiles: String? { cache.map { $0 + "/fetched" } }
}
