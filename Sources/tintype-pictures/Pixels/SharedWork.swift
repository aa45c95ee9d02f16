import Dispatch

/// Work that several threads share.
///
/// Each share has a serial queue. Dispatch reads in `/proc` how busy the threads of concurrent queues are, and crashes if it
/// can't, as in a decoder.
enum SharedWork {
  /// Returns so many queues, each of which has a thread to itself.
  static func queues(_ count: Int) -> [DispatchQueue] { (0..<count).map { DispatchQueue(label: "share \($0)") } }

  /// Calls `body` with each number below `shares`, on as many threads, and waits for all of them.
  static func perform(shares: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let group = DispatchGroup()
      for (share, queue) in queues(shares).enumerated().dropFirst() { queue.async(group: group) { body(share) } }
      if shares > 0 { body(0) }
      group.wait()
    }
  }
}
