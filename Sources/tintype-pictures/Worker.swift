import CConfinement
import Glibc
import ImageWire

/// The image worker: renders one file after another for the browser, on whose socket (descriptor 0) it is spoken to.
///
/// With `--metadata` it reads what files say of their photos instead.
///
/// It is a process of its own because a decoder given a hostile or damaged file may eat all memory, never end, or
/// crash: then it alone goes, and the browser starts another.
@main
enum Worker {
  /// The most memory that the process may have, in bytes.
  private static let memoryLimit = 1 << 30
  /// The most time of a processor that an image may take, in seconds.
  private static let processorSeconds: UInt32 = 10
  /// The most time that may pass until an image is there. A file system that hangs takes no time of a processor, and a busy
  /// machine gives little of it.
  private static let seconds: UInt32 = 60

  static func main() {
    let renderer = Renderer()
    if CommandLine.arguments.dropFirst().first == "--doctor" {
      for line in renderer.report() { print(line) }
      return
    }
    confine(memoryLimit)
    if CommandLine.arguments.dropFirst().first == "--metadata" { readMetadata() }
    let code = serve(RenditionRequest.self) { request in
      // In the shell an image may use all processors at once.
      let processors = request.stage == .once ? UInt32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 1
      limit_time(processorSeconds * processors, seconds)
      guard send(renderer.render(request).framed) else { return false }
      renderer.finish()
      limit_time(0, 0)
      return true
    }
    renderer.deleteFiles()
    exit(code)
  }

  /// Reads metadata instead of rendering, and lets those go first who render.
  private static func readMetadata() -> Never {
    _ = nice(10)
    let reader = MetadataReader()
    let code = serve(MetadataRequest.self) { request in
      let results = request.subjects.map { subject in
        limit_time(processorSeconds, seconds)
        return reader.metadata(of: subject)
      }
      limit_time(0, 0)
      return send(MetadataAnswer(results: results).framed)
    }
    exit(code)
  }

  /// Reads requests until nobody sends any more, or nobody wants the answers.
  ///
  /// - Parameter answer: Says whether there is still somebody to send to.
  /// - Returns: The exit code.
  private static func serve<Request: WireMessage>(_: Request.Type, answer: (Request) -> Bool) -> Int32 {
    var buffer = WireBuffer()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(0, &chunk, chunk.count)
      guard count > 0 else { return EXIT_SUCCESS }
      buffer.append(chunk[..<count])
      do throws(WireError) {
        while let request = try buffer.next(Request.self) {
          guard answer(request) else { return EXIT_SUCCESS }
        }
      } catch {
        return EXIT_FAILURE
      }
    }
  }

  /// - Returns: Whether there is still somebody to send to.
  private static func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
