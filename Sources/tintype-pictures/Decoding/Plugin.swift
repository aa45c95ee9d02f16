import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A library of this program that is loaded when it is first used, together with the libraries that it needs. Without it,
/// its formats are not shown.
enum Plugin: String, CaseIterable {
  case vips = "libtintype-vips.so"
  case video = "libtintype-video.so"
  case raw = "libtintype-raw.so"
  case archive = "libtintype-archive.so"

  /// The path, which is next to this program.
  var path: String? {
    guard let executable = executable_path() else { return nil }
    defer { free(executable) }
    let names = String(cString: executable).split(separator: "/")
    return names.dropLast().reduce("") { "\($0)/\($1)" } + "/\(rawValue)"
  }

  /// Loads the library and returns its table of functions, or nil if it cannot be loaded. `entry` is the name of the
  /// function that returns the table, which the library's header gives.
  func load<Table>(_ entry: String, as table: Table.Type) -> Table? {
    typealias Entry = @convention(c) () -> UnsafeRawPointer
    guard let library = path.flatMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }), let function = dlsym(library, entry)
    else { return nil }
    return unsafeBitCast(function, to: Entry.self)().load(as: Table.self)
  }
}
