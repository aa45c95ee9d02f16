import Gallery
import Terminal
import ViewModels
import WorkerPool

extension Console: ImageClipboard {
  public var takesImages: Bool { capabilities.takesClipboardImages }

  public func time(of count: Int) -> Duration? {
    line.usableThroughput.map { .seconds(Double(ClipboardImage.encodedCount(count)) / $0) }
  }

  public func copy(png: [UInt8], onAnswer: @escaping (ClipboardAnswer) -> Void) {
    Task.onMainActor { [weak self, capabilities] in
      let image = await Task(executorPreference: WorkerPool.shared) {
        ClipboardImage(png: png, on: capabilities)
      }.value
      self?.copy(image, onAnswer: onAnswer)
    }
  }
}
