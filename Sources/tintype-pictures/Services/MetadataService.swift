import CConfinement
import Glibc
import ImageWire
import Metadata

/// Reads the metadata of files, as the browser requests them, at a lower priority than renditions have.
enum MetadataService {
  static func run() -> Never {
    _ = nice(10)
    guard start_guard() != 0 else { exit(EXIT_FAILURE) }
    Limits.confineReader()
    let reader = MetadataReader()
    let code = RequestChannel.serve(MetadataRequest.self) { request in
      let results = request.subjects.map { subject in
        Limits.start()
        return reader.metadata(of: subject)
      }
      Limits.lift()
      return RequestChannel.send(MetadataAnswer(results: results))
    }
    exit(code)
  }
}
