import Torture

/// The bytes that are on their way in one direction of a line. It is a value that waits for nothing: it is given the times.
struct LineDirection {
  private struct Piece {
    var arrival: ContinuousClock.Instant
    var bytes: [UInt8]
  }

  private let line: Line
  private var random = SplitMix(seed: 1)
  private var pieces: [Piece] = []
  /// The time at which the line has carried everything that it was given.
  private var freeAt: ContinuousClock.Instant

  /// The most bytes that wait to be carried.
  private static let buffer = 64_000
  /// The longest piece that arrives at once, in bytes and in seconds.
  private static let (longestPiece, longestTime) = (1400, 0.01)

  init(_ line: Line, at now: ContinuousClock.Instant) {
    self.line = line
    freeAt = now
  }

  /// Whether nothing is on its way.
  var isEmpty: Bool { pieces.isEmpty }
  /// The time at which the next bytes arrive, or nil if there are none.
  var nextArrival: ContinuousClock.Instant? { pieces.first?.arrival }

  /// Returns the time until the line takes more bytes; zero if it does now.
  func timeToRoom(at now: ContinuousClock.Instant) -> Duration {
    max(.zero, freeAt - now - .seconds(Double(Self.buffer) / Double(line.bytesPerSecond)))
  }

  /// Takes bytes in.
  mutating func put(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) {
    freeAt = max(freeAt, now)
    let most = max(1, min(Self.longestPiece, Int(Double(line.bytesPerSecond) * Self.longestTime)))
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(most)
      rest = rest.dropFirst(most)
      freeAt += .seconds(Double(piece.count) / Double(line.bytesPerSecond))
      let late = line.jitter * Double.random(in: 0...1, using: &random)
      let arrival = max(freeAt + line.roundTrip / 2 + late, pieces.last?.arrival ?? now)
      pieces.append(Piece(arrival: arrival, bytes: Array(piece)))
    }
  }

  /// Removes and returns the bytes that have arrived.
  mutating func take(at now: ContinuousClock.Instant) -> [UInt8] {
    let count = pieces.prefix { $0.arrival <= now }.count
    defer { pieces.removeFirst(count) }
    return pieces.prefix(count).flatMap(\.bytes)
  }

  /// Carries nothing for a time. What is on its way arrives later by that time.
  mutating func stall(for time: Duration, at now: ContinuousClock.Instant) {
    freeAt = max(freeAt, now) + time
    for index in pieces.indices { pieces[index].arrival += time }
  }
}
