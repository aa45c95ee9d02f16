import CConfinement
import Gallery
import ImageWire
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A worker that a hostile file has taken over.
///
/// `hostile-worker` takes the place of the image worker (``ImageAttack``, ``ListingAttack``) or, with the gallery's own argument for
/// it, of the worker that reads metadata (``MetadataAttack``). From the first request for a file named `hostile…` on, it attacks the
/// gallery as the variable `HOSTILE_ATTACK` says. Until then, it answers as a worker should. Each process adds a line with its id to
/// the file `HOSTILE_STARTS`.
@main
struct HostileWorker {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let name = getenv("HOSTILE_ATTACK").map { String(cString: $0) } ?? ""
    noteStart()
    if CommandLine.arguments.contains("--metadata-worker") {
      guard let attack = MetadataAttack(rawValue: name), attack != .endsAtOnce else { exit(EX_USAGE) }
      serve { (request: MetadataRequest) in
        isHostile(request.subjects.map(\.path))
          ? attack.acts(on: request) : [.send(MetadataAttack.answer(request).framed)]
      }
    }
    if let attack = ListingAttack(rawValue: name) {
      serve { (request: ImageRequest) in [.send(attack.answer(request).framed)] }
    }
    guard let attack = ImageAttack(rawValue: name) else { exit(EX_USAGE) }
    if attack == .answersUnasked { Act.send(ImageAnswer(number: 1, content: .noPreview).framed).carryOut() }
    if attack == .endsAtOnce { exit(EXIT_FAILURE) }
    serve { (request: ImageRequest) in
      isHostile([request.path]) ? attack.acts(on: request) : [.send(ImageAttack.answer(request).framed)]
    }
  }

  private static func noteStart() {
    guard let path = getenv("HOSTILE_STARTS") else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    Act.send(Array("\(getpid())\n".utf8), to: file)
    close(file)
  }

  /// Whether a file has taken the worker over. The process has one thread.
  private nonisolated(unsafe) static var isTakenOver = false

  /// Whether one of these files takes the worker over, or another one has done so before.
  private static func isHostile(_ paths: [FilePath]) -> Bool {
    isTakenOver = isTakenOver || paths.contains { $0.printableName.hasPrefix("hostile") }
    return isTakenOver
  }

  private static func serve<Request: WireMessage>(_ acts: (Request) -> [Act]) -> Never {
    exit(RequestChannel.serve(Request.self) { acts($0).allSatisfy { $0.carryOut() } })
  }
}

/// A part of an attack.
enum Act {
  case send([UInt8])
  /// Sends bytes until the gallery ends the process.
  case flood([UInt8])
  /// Passes descriptors with the first of the bytes, and closes them.
  case pass([Int32], with: [UInt8])
  /// Waits until all other ends of a pipe are closed.
  case waitForEnd(Int32)
  /// Goes on without an answer.
  case wait
  case end

  /// Returns whether the gallery takes more.
  @discardableResult func carryOut() -> Bool {
    switch self {
    case .send(let bytes): return Self.send(bytes)
    case .flood(let bytes):
      while Self.send(bytes) {}
      return false
    case .pass(let descriptors, let bytes):
      let count = send_with_descriptors(0, bytes, bytes.count, descriptors, Int32(descriptors.count))
      for descriptor in descriptors { close(descriptor) }
      return count > 0 && Self.send(Array(bytes.dropFirst(count)))
    case .waitForEnd(let end):
      var byte: UInt8 = 0
      _ = read(end, &byte, 1)
      close(end)
      return true
    case .wait:
      while true { pause() }
    case .end: exit(EXIT_FAILURE)
    }
  }

  @discardableResult static func send(_ bytes: [UInt8], to file: Int32 = 0) -> Bool {
    bytes.withUnsafeBytes { RequestChannel.writeAll($0, to: file) }
  }
}
