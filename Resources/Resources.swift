import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that come with Tintype.
public enum Resources {
  /// The absolute path of a bundled file, such as `content.json`.
  ///
  /// They lie beside the executable, in the bundle that SwiftPM makes, or in `../share/tintype-gallery` of an
  /// installed program; where neither is there, the path names the first place, and reading it says what is missing.
  public static func path(_ name: String) -> String {
    let folders = ["\(executableFolder)/\(bundle)", "\(executableFolder)/../share/tintype-gallery"]
    let folder = folders.first { access("\($0)/\(name)", F_OK) == 0 } ?? folders[0]
    return "\(folder)/\(name)"
  }

  /// The path of another of Tintype's executables: beside this one, or in `../libexec/tintype` of an installed program.
  public static func executable(_ name: String) -> String {
    let paths = ["\(executableFolder)/\(name)", "\(executableFolder)/../libexec/tintype/\(name)"]
    return paths.first { access($0, X_OK) == 0 } ?? paths[0]
  }

  private static let bundle = "tintype_Resources.resources"

  /// The folder of the running program's file, without symbolic links.
  private static let executableFolder: String = {
    guard let path = executable_path() else { return "." }
    defer { free(path) }
    return String(
      String(cString: path).prefix { _ in true }.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
  }()
}
