import Gallery
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The service that reads tracks from files of this machine.
public struct TrackService: TrackServiceProtocol {
  /// The suffixes of files in a folder that are read.
  private static let suffixes: Set = ["gpx", "kml", "nmea"]
  /// The most files of a folder that are read.
  private static let mostFiles = 2000

  /// Creates a service.
  public init() {}

  @concurrent
  public func tracks(at path: FilePath) async throws(TrackFault) -> [NamedTrack] {
    if path.isMissing { throw .missing }
    guard path.isFolder else { return [try Self.track(at: path)] }
    // A file that is damaged does not hide the others.
    let found = Self.files(in: path).compactMap { try? Self.track(at: $0) }
    if found.isEmpty { throw .noTracks }
    return found
  }

  private static func track(at path: FilePath) throws(TrackFault) -> NamedTrack {
    let name = path.printableName
    guard path.isFile else { throw .unreadable(reason: localized("It is no regular file.")) }
    let bytes = path.head(TrackReader.largestFile + 1)
    if bytes.count > TrackReader.largestFile { throw .tooLarge }
    if bytes.isEmpty, path.withCString({ access($0, R_OK) }) != 0 {
      throw .unreadable(reason: String(cString: strerror(errno)))
    }
    return NamedTrack(name: name, track: try TrackReader.track(of: bytes))
  }

  /// Returns the files of a folder that may be tracks, in the order of their names.
  private static func files(in folder: FilePath) -> [FilePath] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var files: [FilePath] = []
    while files.count < mostFiles, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: "."),
        suffixes.contains(name[name.index(after: dot)...].lowercased())
      else { continue }
      files.append(folder.appending(Array(name.utf8)))
    }
    return files.sorted { $0.printable < $1.printable }
  }
}
