import Gallery
import Services

extension StepProgress {
  /// Returns the progress as it is shown.
  /// - Parameter first: An earlier progress, and the time since then; nil if there was none.
  public func shown(since first: (progress: StepProgress, time: Duration)?) -> ShownProgress {
    var parts = [localized("\(done.grouped) of \(total.grouped)")]
    if let (progress, time) = first, fraction > progress.fraction, time > .zero {
      let copied = Double(copiedSize - progress.copiedSize) / (time / .seconds(1))
      if copied > 0 { parts.append("\(Int64(copied).fileSizeText)/s") }
      let left = time * ((1 - fraction) / (fraction - progress.fraction))
      parts.append(localized("\(left.roundedText) left"))
    }
    return ShownProgress(fraction: fraction, text: parts.joined(separator: " · "))
  }
}
