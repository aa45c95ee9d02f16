import CConfinement
import FoundationEssentials
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Limits {
  /// Limits this process to the images that are passed to it, and to libraries and fonts for SVG, which decoders need.
  ///
  /// - Parameter memory: The most memory in bytes.
  @discardableResult static func confineDecoder(memory: Int = memory) -> Confinement {
    let environment = ProcessInfo.processInfo.environment
    let plugins = Plugin.allCases.compactMap(\.path)
    // Without root's privileges, the plugins in another user's folder may be out of reach.
    let hasNamespace = enter_namespace(plugins.first) != 0
    let named = environment["LD_LIBRARY_PATH"]?.split(separator: ":").map(String.init) ?? []
    let libraries = plugins + named.filter { $0.hasPrefix("/") }
    var confinement = confine(reading: system + libraries + userFonts(environment), memory: memory)
    confinement.hasNamespace = hasNamespace
    return confinement
  }

  /// The system's libraries and fonts. Not every system has all of these.
  private static let system = [
    "/usr", "/lib", "/lib64", "/opt", "/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew", "/etc/ld.so.cache",
    "/etc/fonts", "/var/cache/fontconfig", "/sys/devices/system/cpu",
  ]

  /// The folders of the user's fonts, and of what fontconfig knows about them.
  private static func userFonts(_ environment: [String: String]) -> [String] {
    guard let home = environment["HOME"], home.hasPrefix("/") else { return [] }
    let data = environment["XDG_DATA_HOME"] ?? home + "/.local/share"
    let settings = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    let caches = environment["XDG_CACHE_HOME"] ?? home + "/.cache"
    return [home + "/.fonts", data + "/fonts", settings + "/fontconfig", caches + "/fontconfig"]
  }
}
