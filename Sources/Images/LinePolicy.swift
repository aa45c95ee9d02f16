import ImageWire

/// The way from the first rendition of an image to the best one, which depends on the line to the terminal.
@MainActor
protocol LinePolicy {
  typealias Entry = RenditionLadder.Entry

  /// Whether renditions are sent before their images are visible, if there is nothing else to send.
  var sendsAhead: Bool { get }
  /// Whether the next frame will request a better rendition of something that this one shows.
  var needsFrame: Bool { get }

  /// Begins a frame.
  func beginFrame()
  /// Returns what a frame shows of a specification, or nil if there is nothing yet. Requests what is missing.
  func entry(toShow specification: RenditionSpecification, isAhead: Bool, skipsPreview: Bool) -> Entry?
  /// Returns a rendition that the terminal has already, and requests nothing better.
  func standing(_ specification: RenditionSpecification, isThere: (UInt32) -> Bool) -> ImageLoader.StoredImage?
  /// Returns the rung of the rendition that the last frame showed.
  func shownRung(of specification: RenditionSpecification) -> Rung
  /// Returns whether a better rendition than the one that is shown will follow.
  func isImproving(_ specification: RenditionSpecification) -> Bool
  /// Returns the renditions of which one is shown until the terminal has received the one of a specification, best first.
  func predecessors(of specification: RenditionSpecification) -> [ImageLoader.StoredImage]

  /// Returns the request to a worker.
  func request(for wish: ImageLoader.Wish) -> RenditionRequest
  /// Returns a ladder to which an answer has added an entry.
  func ladder(_ old: RenditionLadder, with entry: Entry, for specification: RenditionSpecification) -> RenditionLadder
  /// Returns the rung of the image itself that is requested after a worker has answered; nil if none is.
  func rungAfterAnswer(hasRendition: Bool, isSharp: Bool) -> Rung?
}
