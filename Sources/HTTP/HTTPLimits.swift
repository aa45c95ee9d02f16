/// What a server may take of our time and memory, besides a body's size, which is the request's.
public struct HTTPLimits: Hashable, Sendable {
  /// For finding the host, connecting, and agreeing on encryption.
  public var connectTime = Duration.seconds(10)
  /// An answer that for so many whole seconds brings less than ``leastSpeed`` is given up.
  public var stallSeconds = 15
  /// In bytes a second.
  public var leastSpeed = 256
  /// Of all headers of an answer together, in bytes.
  public var headerSize = 256 << 10
  public var redirects = 5
  /// How often a request is made at most, where the fault may pass.
  public var tries = 4
  /// About how long it is waited before the second try; before each further one, twice as long.
  public var firstDelay = Duration.seconds(1)
  /// Where the server wants more time than this before the next try, the person is told instead.
  public var longestDelay = Duration.seconds(60)

  public init() {}

  /// - Parameters:
  ///   - number: The try that failed, counted from 1.
  ///   - wish: How long the server asks to wait (`Retry-After`).
  ///   - random: From 0 to 1, so that many programs do not all come back at once.
  /// - Returns: How long to wait before the next try; nil where there is to be none.
  func delay(afterTry number: Int, failing error: HTTPError, wish: Duration, random: Double) -> Duration? {
    guard number < tries, error.mayPass else { return nil }
    if wish > .zero { return wish <= longestDelay ? wish : nil }
    return min(longestDelay, firstDelay * (Double(1 << (number - 1)) * (0.5 + random)))
  }
}
