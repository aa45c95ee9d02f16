/// A slow line between a program and its terminal, such as an SSH connection.
public struct Line: Hashable, Sendable, CustomStringConvertible {
  /// The bytes that each direction carries in a second.
  public var bytesPerSecond: Int
  /// The time for a byte that finds the line idle, there and back.
  public var roundTrip: Duration
  /// The longest time by which pieces are late at random. Their order stays.
  public var jitter: Duration

  /// Creates a line.
  public init(bytesPerSecond: Int, roundTrip: Duration, jitter: Duration = .zero) {
    self.bytesPerSecond = bytesPerSecond
    self.roundTrip = roundTrip
    self.jitter = jitter
  }

  /// The line as "200 kB/s, 100 ms".
  public var description: String { "\(bytesPerSecond / 1000) kB/s, \(Int(roundTrip / .milliseconds(1))) ms" }
}
