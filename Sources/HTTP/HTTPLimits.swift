/// The limits of time and memory for each server. The limit of a body's size is part of the request.
public struct HTTPLimits: Hashable, Sendable {
  /// The longest time for looking the host up, connecting and negotiating encryption.
  public var connectTime = Duration.seconds(10)
  /// The number of seconds for which an answer may be slower than ``leastSpeed``.
  public var stallSeconds = 15
  /// The least speed of an answer, in bytes per second.
  public var leastSpeed = 256
  /// The largest size of all headers of an answer together, in bytes.
  public var headerSize = 256 << 10
  /// The largest number of redirects that a request follows.
  public var redirects = 5
  /// The largest number of tries if the failures may be temporary.
  public var tries = 4
  /// The approximate delay before the second try. It doubles before each further one.
  public var firstDelay = Duration.seconds(1)
  /// The longest delay before a retry. If the server asks for more, the request fails at once.
  public var longestDelay = Duration.seconds(60)

  /// Creates the usual limits.
  public init() {}

  /// Returns the delay before the next try, or nil if there is to be none.
  ///
  /// - Parameters:
  ///   - number: The number of the try that failed, from 1.
  ///   - wish: How long the server asks to wait (`Retry-After`).
  ///   - random: A number from 0 to 1. It spreads the retries of many programs over time.
  func delay(afterTry number: Int, failing error: HTTPError, wish: Duration, random: Double) -> Duration? {
    guard number < tries, error.mayPass else { return nil }
    if wish > .zero { return wish <= longestDelay ? wish : nil }
    return min(longestDelay, firstDelay * (Double(1 << (number - 1)) * (0.5 + random)))
  }
}
