import Terminal

/// The terminal as the image layer sees it.
@MainActor
protocol ImageDisplay: AnyObject {
  var capabilities: Capabilities { get }
  /// Whether the terminal has had its time to answer the program's questions.
  var isQuestioned: Bool { get }
  /// The state of the line to the terminal.
  var line: LineModel { get }
  /// Whether the line has carried everything that the screen shows.
  var isLineIdle: Bool { get }
  /// The size of the screen in cells.
  var size: Size { get }
  /// The time between the last two keys.
  var keyInterval: Duration { get }
  /// Called when the terminal has lost images.
  var onImagesLost: () -> Void { get set }
  /// Called when the terminal has taken all of a frame.
  var onFrameLeft: () -> Void { get set }

  /// Requests a frame.
  func setNeedsDisplay()
  /// Returns whether the terminal stores an image, or will soon have been sent all of it.
  func isStored(_ graphic: UInt32) -> Bool
  /// Returns whether the terminal has all of an image that it stores.
  func hasArrived(_ graphic: UInt32) -> Bool
  /// Releases images that will not be shown again.
  func forget(_ graphics: [UInt32])
}

extension Console: ImageDisplay {}
