import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The socket to the gallery, which is descriptor 0.
public enum RequestChannel {
  /// Reads requests until the gallery sends no more of them, or takes no more answers.
  ///
  /// - Parameter answer: Answers a request, and returns whether the gallery takes more answers.
  /// - Returns: The exit code.
  public static func serve<Request: WireMessage>(_: Request.Type, answer: (Request) -> Bool) -> Int32 {
    var reader = RequestReader<Request>()
    do throws(WireError) {
      while let request = try reader.next() {
        guard answer(request) else { break }
      }
      return EXIT_SUCCESS
    } catch {
      return EXIT_FAILURE
    }
  }

  /// Sends an answer, and returns whether the gallery has taken it.
  public static func send(_ answer: some WireMessage) -> Bool {
    answer.framed.withUnsafeBytes { writeAll($0, to: 0) }
  }

  /// Writes bytes to a socket, and returns whether it has taken all of them.
  public static func writeAll(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// The requests from the gallery, one after another.
public struct RequestReader<Request: WireMessage> {
  private var buffer = WireBuffer()
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Creates a reader of which nothing has been read.
  public init() {}

  /// Waits for the next request, and returns nil if there is none.
  ///
  /// - Parameter wait: Waits until more can be read, and returns whether it is wanted.
  public mutating func next(wait: () -> Bool = { true }) throws(WireError) -> Request? {
    while true {
      if let request = try buffer.next(Request.self) { return request }
      guard wait() else { return nil }
      let count = read(0, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffer.append(chunk[..<count])
    }
  }
}
