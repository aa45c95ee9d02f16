/// The kind of series in which a camera took a photo, as the camera itself records it.
///
/// A camera that shoots without pause records a burst, also where the user moves it along a panorama. The packed form of
/// metadata has the raw values.
public enum PhotoSeries: Int, CaseIterable, Sendable {
  /// Shots in quick succession with the same settings.
  case burst = 1
  /// Shots of one scene with different exposures.
  case exposureBracket
  /// Shots of one scene with different white balances, sensitivities, apertures, or other settings.
  case otherBracket
  /// Shots of one scene that are focused at different distances.
  case focusSeries
  /// Shots of the parts of a panorama, which are to be joined.
  case panorama

  /// The raw values of all kinds.
  static let codes = burst.rawValue...panorama.rawValue
}
