import Glibc
import ImageWire

/// The socket to the browser, which is descriptor 0.
enum RequestChannel {
  /// Reads requests until the browser sends no more of them, or takes no more answers.
  ///
  /// - Parameter answer: Answers a request, and returns whether the browser takes more answers.
  /// - Returns: The exit code.
  static func serve<Request: WireMessage>(_: Request.Type, answer: (Request) -> Bool) -> Int32 {
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

  /// Sends an answer, and returns whether the browser has taken it.
  static func send(_ answer: some WireMessage) -> Bool {
    let bytes = answer.framed
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
