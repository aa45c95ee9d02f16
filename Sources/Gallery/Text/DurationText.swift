extension Double {
  /// A duration in seconds as players show it: `0:07`, `12:40`, `1:02:03`.
  public var durationText: String {
    guard isFinite, self >= 0 else { return "?" }
    let seconds = Int(Swift.min(self, 1e9).rounded(.down))
    func two(_ number: Int) -> String { String(String(number + 100).suffix(2)) }
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(two(seconds % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
  }
}
