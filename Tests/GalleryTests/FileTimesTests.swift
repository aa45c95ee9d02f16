import Foundation
import Gallery
import TestLimit
import Testing

/// Times of files, which file systems have for thousands of years.
@Suite(.limited) struct FileTimesTests {
  @Test(arguments: [
    (0, 0, 0), (1, 5, 1_000_000_005), (-1, 999_999_999, -1), (9_223_372_036, 854_775_807, Int.max),
    (9_223_372_036, 854_775_808, .max), (13_569_465_600, 0, .max), (.max, 0, .max), (-9_223_372_037, 0, .min),
    (.min, 0, .min),
  ])
  func aTimeThatDoesNotFitIsTheNearestThatDoes(seconds: Int, nanoseconds: Int, time: Int) {
    var status = stat()
    status.st_mtim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #expect(status.modificationTime == time)
  }
}
