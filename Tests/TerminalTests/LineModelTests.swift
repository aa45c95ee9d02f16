import TestLimit
import Testing

@testable import Terminal

/// The model over a simulated line: a queue that carries so many bytes a second, and answers half a round trip later.
@Suite(.limited) struct LineModelTests {
  private static let remote = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]

  private struct Line {
    var model = LineModel(environment: remote)
    var now = ContinuousClock.now
    var rate: Double
    let roundTrip: Duration
    /// Whether the terminal is asked in the middle of images.
    var asksWithinImages = true
    /// The time at which everything that was written has been carried.
    private var free = ContinuousClock.now

    init(rate: Double, roundTrip: Duration) { (self.rate, self.roundTrip) = (rate, roundTrip) }

    /// The bytes that wait in the line.
    var queued: Double { max(0, (free - now) / .seconds(1)) * rate }

    mutating func write(_ count: Int) {
      model.write(count, at: now)
      free = max(free, now) + .seconds(Double(count) / rate)
    }

    /// Writes an image as fast as the model allows, and waits for the answer to the question after it.
    /// - Returns: The most that waited in the line.
    @discardableResult
    mutating func send(_ count: Int) -> Double {
      var (left, most) = (count, 0.0)
      // The time of the answer to the question in the middle of the image.
      var answer: ContinuousClock.Instant?
      while left > 0 {
        if let time = answer, time <= now {
          model.receiveAnswer(at: time)
          answer = nil
        }
        // Images leave in pieces.
        let part = min(left, 4096, model.room(at: now))
        left -= part
        if part > 0 { write(part) } else { now += model.timeToRoom(at: now) }
        if asksWithinImages, part > 0, model.isWorthAsking(before: left) {
          model.ask(at: now)
          answer = max(now, free) + roundTrip
        }
        most = max(most, queued)
      }
      if let answer {
        now = answer
        model.receiveAnswer(at: now)
      }
      model.ask(at: now)
      now = max(now, free) + roundTrip
      model.receiveAnswer(at: now)
      return most
    }
  }

  @Test func aLocalLineIsNotMeasured() {
    var model = LineModel(environment: ["TERM": "xterm"])
    model.write(1_000_000, at: .now)
    #expect(!model.isWorthAsking && model.usableThroughput == nil && model.room(at: .now) == .max && !model.isSlow)
  }

  @Test(arguments: [20_000.0, 200_000, 2_000_000], [20, 100, 600, 2000])
  func rateAndRoundTripAreFound(rate: Double, milliseconds: Int) throws {
    var line = Line(rate: rate, roundTrip: .milliseconds(milliseconds))
    // A short question first, as at the start.
    line.send(100)
    #expect(try #require(line.model.roundTrip) < .milliseconds(milliseconds + 10))
    for _ in 1...4 { line.send(Int(rate)) }
    let throughput = try #require(line.model.throughput)
    #expect(abs(throughput / rate - 1) < 0.05, "\(throughput)")
    #expect(line.model.isIdle)
  }

  @Test func aChangeOfTheRateIsFollowed() throws {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.send(100)
    line.send(200_000)
    line.rate = 3_000_000
    for _ in 1...8 { line.send(1_000_000) }
    #expect(try #require(line.model.throughput) > 2_400_000)
    line.rate = 50_000
    for _ in 1...6 { line.send(100_000) }
    #expect(try #require(line.model.throughput) < 75_000)
  }

  @Test func littleWaitsInTheLine() {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.send(100)
    // The first image is sent at once, since the rate is not known.
    line.send(200_000)
    for _ in 1...5 {
      // 0.1 s of the line's rate, and what is written faster than it carries.
      let queued = line.send(400_000)
      #expect(queued < 70_000, "\(queued)")
    }
  }

  /// A key's answer is behind what waits in the line.
  @Test func anIdleLineTakesATenthOfASecondAtOnce() {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.send(100)
    line.send(200_000)
    #expect((20_000...23_000).contains(line.model.room(at: line.now)))
  }

  /// A short frame some time before an image doesn't count as the beginning of the image.
  @Test func aPauseIsNotMeasured() throws {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.send(100)
    line.write(1500)
    line.now += .seconds(3)
    line.send(100_000)
    #expect(abs(try #require(line.model.throughput) / 200_000 - 1) < 0.05)
  }

  /// tmux answers the first questions itself.
  @Test func theRoundTripIsFoundWithoutAFirstQuestion() throws {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.send(100_000)
    #expect(try #require(line.model.throughput) < 175_000 && line.model.isWorthAsking)
    line.send(10)
    #expect(try #require(line.model.roundTrip) < .milliseconds(110) && !line.model.isWorthAsking)
    for _ in 1...3 { line.send(100_000) }
    #expect(abs(try #require(line.model.throughput) / 200_000 - 1) < 0.05)
  }

  /// A buffer that has an end is not to be filled, and tmux's has none.
  @Test(arguments: [(true, true), (true, false), (false, false)])
  func littleWaitsBehindALongImage(hasBackPressure: Bool, asksWithinImages: Bool) throws {
    var line = Line(rate: 200_000, roundTrip: .milliseconds(100))
    line.model.hasBackPressure = hasBackPressure
    line.asksWithinImages = asksWithinImages
    line.send(100)
    line.send(200_000)
    for _ in 1...5 { #expect(line.send(2_000_000) < 60_000) }
    #expect(try #require(line.model.throughput) > 180_000)
    line.rate = 400_000
    for _ in 1...8 { line.send(400_000) }
    #expect(try #require(line.model.throughput) > 340_000)
  }

  @Test func aLongImageFillsNoBuffersOnALineThatHasBecomeSlower() {
    var line = Line(rate: 240_000, roundTrip: .milliseconds(100))
    line.send(100)
    for _ in 1...3 { line.send(200_000) }
    line.rate = 200_000
    let queued = line.send(1_000_000)
    #expect(queued < 60_000, "\(queued)")
  }

  /// The line seemed to carry megabytes a second, and a frame kept the keys waiting for seconds.
  @Test func aRoundTripOfABusyMomentMakesNoLineFast() throws {
    var model = LineModel(environment: Self.remote)
    let now = ContinuousClock.now
    model.write(100, at: now)
    model.ask(at: now)
    model.receiveAnswer(at: now + .seconds(1))
    // On a line of 20 kB/s.
    let later = now + .seconds(5)
    model.write(10_000, at: later)
    model.ask(at: later)
    model.receiveAnswer(at: later + .milliseconds(600))
    #expect(model.throughput == nil && model.isWorthAsking && model.mostBytesOfFrame == 12_500)
    model.write(100, at: later + .seconds(1))
    model.ask(at: later + .seconds(1))
    model.receiveAnswer(at: later + .milliseconds(1100))
    #expect(model.roundTrip == .milliseconds(100))
    model.write(10_000, at: later + .seconds(2))
    model.ask(at: later + .seconds(2))
    model.receiveAnswer(at: later + .milliseconds(2600))
    #expect(try #require(model.throughput) < 21_000 && model.mostBytesOfFrame == 4096)
  }

  @Test func aForgottenQuestionIsNotRepeated() {
    var model = LineModel(environment: Self.remote)
    model.write(100_000, at: .now)
    #expect(model.isWorthAsking)
    model.forgetQuestion()
    #expect(!model.isWorthAsking && model.isIdle)
  }

  @Test func aRoundTripIsNoLongerAskedForOnceAQuestionIsForgotten() {
    var model = LineModel(environment: Self.remote)
    let now = ContinuousClock.now
    model.write(100_000, at: now)
    model.ask(at: now)
    model.receiveAnswer(at: now + .seconds(1))
    #expect(model.roundTrip == nil && model.isWorthAsking)
    model.ask(at: now + .seconds(1))
    model.forgetQuestion()
    #expect(!model.isWorthAsking)
  }

  @Test func bytesAfterAQuestionAreMeasuredByTheNext() throws {
    var model = LineModel(environment: Self.remote)
    var now = ContinuousClock.now
    model.ask(at: now)
    model.write(10, at: now)
    model.receiveAnswer(at: now)
    model.write(100_000, at: now)
    #expect(model.isWorthAsking)
    model.ask(at: now)
    #expect(!model.isWorthAsking && !model.isIdle)
    model.write(50_000, at: now)
    now += .seconds(1)
    model.receiveAnswer(at: now)
    #expect(model.throughput == 100_000)
    #expect(!model.isIdle && model.isWorthAsking)
    model.ask(at: now)
    now += .milliseconds(500)
    model.receiveAnswer(at: now)
    #expect(abs(try #require(model.throughput) - 100_000) < 1000)
    #expect(model.isIdle)
  }
}
