import Foundation
import Gallery
import TestLimit
import Testing

@testable import Folder

@Suite(.limited) struct ClockOffsetsTests {
  /// The times are in each month of some years, after the hours that a clock may leave out.
  @Test func aMomentShowsTheTimeThatItIsMadeOf() {
    var clock = ClockOffsets()
    for number in 0..<600 {
      let time = Double(number * 2_678_400 + number % 12 * 5400) + 16_200.5
      let (moment, offset) = clock.moment(showing: time)
      #expect(moment + Double(offset) == time.rounded(.down))
      #expect(offset == LocalClock.system.secondsFromUTC(Date(timeIntervalSince1970: moment)))
      #expect(clock.offset(at: moment) == offset)
    }
  }
}
