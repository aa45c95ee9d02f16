import CConfinement
import Gallery
import ImageWire
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The worker that reads the metadata of files, as the gallery requests them, at a lower priority than renditions have.
public enum MetadataService {
  /// The number of files that are read within the limits of one.
  private static let filesPerLimit = 16

  /// Work in the background leaves the processors to the images that the user waits for.
  public static let niceness: Int32 = 10

  /// Ignores the signals that are for the gallery, and serves its requests until it sends no more of them.
  public static func run() -> Never {
    leave_gallery()
    _ = nice(niceness)
    guard start_guard() != 0 else { exit(EXIT_FAILURE) }
    Limits.confineReader()
    let reader = MetadataReader()
    let code = RequestChannel.serve(MetadataRequest.self) { request in
      let results = request.subjects.enumerated().map { index, subject in
        // Setting the limits takes as long as reading metadata. A file takes them up by itself, or the gallery asks for fewer.
        if index.isMultiple(of: filesPerLimit) { Limits.start() }
        return reader.metadata(of: subject).map { MetadataRecord($0) }
      }
      Limits.lift()
      return RequestChannel.send(MetadataAnswer(results: results))
    }
    exit(code)
  }
}
