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

  /// The path of the image worker: beside this executable, or in `../libexec/tintype` of an installed program. It is nil where
  /// Tintype is installed for text only, without the worker and its libraries.
  public static var imageWorker: String? {
    let name = "tintype-pictures"
    return ["\(executableFolder)/\(name)", "\(executableFolder)/../libexec/tintype/\(name)"]
      .first { access($0, X_OK) == 0 }
  }

  /// The path of the running program's file, without symbolic links.
  public static let executable: String = {
    guard let path = executable_path() else { return "./tintype" }
    defer { free(path) }
    return String(cString: path)
  }()

  private static let bundle = "tintype_Resources.resources"

  private static var executableFolder: String {
    let end = executable.utf8.lastIndex(of: UInt8(ascii: "/")) ?? executable.startIndex
    return String(executable[..<end])
  }
}
