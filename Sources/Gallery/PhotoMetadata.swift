/// What a photo's file says of the photo, in Exif, IPTC or XMP, or in an XMP file beside it; nil and empty where it
/// says nothing.
public struct PhotoMetadata: Hashable, Sendable {
  public var takenAt: CaptureTime?
  /// Of the image, upright, in pixels; 0 where it is not known.
  public var width = 0
  public var height = 0
  /// The camera's maker and model.
  public var camera: String?
  public var lens: String?
  /// In seconds.
  public var exposureTime: Double?
  /// The focal length by the aperture's diameter.
  public var fNumber: Double?
  /// In millimeters.
  public var focalLength: Double?
  /// The sensitivity (ISO 12232).
  public var iso: Int?
  public var place: Place?
  public var title: String?
  /// What there is to say about it, in any number of lines.
  public var caption: String?
  public var keywords: [String] = []
  /// From 1 to 5 stars; 0 for none, -1 for a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public var rating: Int?
  /// The name of a color, mostly (`xmp:Label`).
  public var label: String?
  /// Whether the file ends before the image does, as one that is still being copied.
  public var isCutOff = false

  public init() {}

  /// Where a photo was taken (WGS 84).
  public struct Place: Hashable, Sendable {
    /// In degrees, positive in the north.
    public var latitude: Double
    /// In degrees, positive in the east.
    public var longitude: Double
    /// In meters above the sea, if it is known.
    public var altitude: Double?

    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }
}

/// When a photo was taken, by the clock of its camera, which does not always say how that stood to UTC.
public struct CaptureTime: Hashable, Sendable {
  /// What the clock showed, as seconds from 1970-01-01 00:00:00 of the same clock.
  public var clock: Double
  /// How far the clock was ahead of UTC, in seconds; nil where the file does not say.
  public var offset: Int?

  public init(clock: Double, offset: Int? = nil) {
    self.clock = clock
    self.offset = offset
  }

  /// The values of ``clock`` that ISO 8601 can write: the years 0 to 9999.
  public static let clocks = -62_167_219_200.0..<253_402_300_800
}

/// Why a photo's file says nothing.
public enum PhotoFault: Error, Hashable, Sendable {
  /// There is no file, or no longer.
  case missing
  /// `reason` is the system's.
  case unreadable(reason: String)
  /// The file is empty, as one that is about to be copied.
  case empty
  case notAnImage
  /// Whatever read the file broke down, or took too long.
  case harmful
  /// The file could not be asked; the reason says why.
  case notAsked(reason: String)

  /// What is the matter, in a printable sentence.
  public var message: String {
    switch self {
    case .missing: "The file is not there; it may have been moved or deleted."
    case .unreadable(let reason): "The file cannot be read (\(reason.printable)); see to its permissions."
    case .empty: "The file is empty; it may still be on its way here."
    case .notAnImage: "The file is no image, or of a format not known here."
    case .harmful: "The file is damaged so badly that reading it failed."
    case .notAsked(let reason): "The file was not read: \(reason.printable)."
    }
  }
}
