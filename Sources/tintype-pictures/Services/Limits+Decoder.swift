#if Pictures
  import FoundationEssentials
  import Glibc

  extension Limits {
    /// Limits this process to what decoders need besides the images that are passed to it: libraries, and fonts for SVG.
    @discardableResult static func confineDecoder() -> Confinement {
      let plugin = VipsLibrary.pluginFolder.map { [$0] } ?? []
      return confine(reading: system + plugin + userFonts(ProcessInfo.processInfo.environment))
    }

    /// The system's libraries and fonts. Not every system has all of these.
    private static let system = [
      "/usr", "/lib", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/fonts", "/var/cache/fontconfig",
      "/sys/devices/system/cpu",
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
#endif
