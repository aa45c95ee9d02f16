/// The frames of an image that are shown one after the other.
struct FrameTimes {
  var count = 0
  /// The sum of the times for which the frames are shown, in seconds, or 0 if it is not known.
  var seconds = 0.0

  /// The time of all frames in seconds, or nil if the image has no times.
  var duration: Double? { count > 1 && seconds > 0 ? seconds : nil }

  mutating func add(seconds: Double) {
    count += 1
    self.seconds += seconds
  }
}
