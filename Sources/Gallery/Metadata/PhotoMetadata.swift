/// The metadata of a photo: what its file says in Exif, IPTC or XMP, or in an XMP file next to it.
///
/// Absent values are nil or empty. ``MetadataField/all`` lists the fields with everything that the program does with them.
public struct PhotoMetadata: Hashable, Sendable {
  /// The time at which the photo was taken.
  public var takenAt: CaptureTime?
  var knownWidth: Int?
  var knownHeight: Int?
  /// The size of the file in bytes.
  public var fileSize: Int?
  /// The raw value of ``kind``.
  public var kindCode: Int?
  /// The size of the movie inside of a photo in bytes; nil if there is none.
  public var movieSize: Int?
  /// The duration of a video, an animation or the movie inside of a photo in seconds.
  public var duration: Double?
  /// The number of a video's frames in a second.
  public var frameRate: Double?
  /// The name of the format in which the frames of a video are coded, such as "H.264".
  public var codec: String?
  /// The camera's maker and model.
  public var camera: String?
  /// The lens's model.
  public var lens: String?
  /// The exposure time in seconds.
  public var exposureTime: Double?
  /// The focal length divided by the diameter of the aperture.
  public var fNumber: Double?
  /// The focal length in millimeters.
  public var focalLength: Double?
  /// The sensitivity (ISO 12232).
  public var iso: Int?
  /// The exposure bias in EV, positive for a brighter image (Exif 2.32, `ExposureBiasValue`).
  public var exposureBias: Double?
  /// The latitude in degrees (WGS 84), positive in the north.
  public var latitude: Double?
  /// The longitude in degrees (WGS 84), positive in the east.
  public var longitude: Double?
  /// The altitude in meters above the sea.
  public var altitude: Double?
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public var rating: Int?
  /// Whether the photo is a favorite on its server.
  public var isFavorite = false
  /// The keywords, in the order of the file.
  public var keywords: [String] = []
  /// The label, in most cases the name of a color (`xmp:Label`).
  public var label: String?
  /// The title.
  public var title: String?
  /// The caption, which may have several lines.
  public var caption: String?
  /// The text for those who do not see the image (IPTC Photo Metadata Standard 2021.1, Alt Text).
  public var altText: String?
  /// The names of those who made the photo, separated by semicolons.
  public var creator: String?
  /// The copyright notice.
  public var copyright: String?
  /// The credit that is to be printed with the photo.
  public var credit: String?
  /// The terms of use, in words.
  public var usageTerms: String?
  /// The place within the city, such as a building.
  public var location: String?
  /// The city.
  public var city: String?
  /// The state or province.
  public var state: String?
  /// The name of the country.
  public var country: String?
  /// The code of the country (ISO 3166-1).
  public var countryCode: String?
  /// What a generated image was to show.
  public var prompt: String?
  /// The settings with which an image was generated.
  public var generation: String?
  /// The orientation of the stored image (``ImageOrientation``), or nil if it is upright.
  public var orientation: Int?
  /// The orientation that a sidecar gives the image instead (`tiff:Orientation`).
  public var chosenOrientation: Int?
  /// The part of the stored image that a sidecar crops it to (``PhotoCrop/text``).
  public var crop: String?
  /// Whether the file ends before the image does, as while it is being copied.
  public var isCutOff = false
  /// The focus point's distance from the left edge of the upright image (``FocusPoint/x``).
  public var focusX: Int?
  /// The focus point's distance from the upper edge of the upright image (``FocusPoint/y``).
  public var focusY: Int?
  /// The raw value of ``series``.
  public var seriesCode: Int?
  /// The number of the shot in its series, from 1, or nil if it is unknown.
  public var seriesNumber: Int?

  /// The values of ``exposureBias`` (Exif 2.32).
  public static let exposureBiases = -99.99...99.99

  /// Creates metadata without any value.
  public init() {}

  /// The place where a photo was taken (WGS 84).
  public struct Place: Hashable, Sendable {
    /// The latitude in degrees, positive in the north.
    public var latitude: Double
    /// The longitude in degrees, positive in the east.
    public var longitude: Double
    /// The altitude in meters above the sea, or nil if it is unknown.
    public var altitude: Double?

    /// Creates a place.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }

  /// The place, or nil if the latitude or the longitude is unknown.
  public var place: Place? {
    get {
      guard let latitude, let longitude else { return nil }
      return Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }
    set {
      latitude = newValue?.latitude
      longitude = newValue?.longitude
      altitude = newValue?.altitude
    }
  }

  /// Whether only a part of a place is known. Such a part is never shown.
  public var hasIncompletePlace: Bool { place == nil && (latitude != nil || longitude != nil || altitude != nil) }

  /// The point that the camera focused on, or nil if one of its coordinates is unknown.
  public var focus: FocusPoint? {
    get {
      guard let focusX, let focusY else { return nil }
      return FocusPoint(x: focusX, y: focusY)
    }
    set {
      focusX = newValue?.x
      focusY = newValue?.y
    }
  }

  /// The kind of the file by its content, or nil if it has not been read.
  public var kind: PhotoKind? {
    get { kindCode.flatMap(PhotoKind.init) }
    set { kindCode = newValue?.rawValue }
  }

  /// The kind of series in which the camera took the photo, or nil if there is none or it is unknown.
  public var series: PhotoSeries? {
    get { seriesCode.flatMap(PhotoSeries.init) }
    set { seriesCode = newValue?.rawValue }
  }

  /// Whether only one coordinate of the focus point is known. It is never used alone.
  public var hasIncompleteFocus: Bool { (focusX == nil) != (focusY == nil) }

  /// The quarters by which the user has rotated the image clockwise, given the orientation that the sidecar says.
  public func quarters(to chosen: ImageOrientation?) -> Int {
    let own = orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .upright
    return chosen.flatMap(own.quarters) ?? 0
  }

  /// The orientation of the stored image, which may be the user's.
  public var shownOrientation: ImageOrientation {
    (chosenOrientation ?? orientation).flatMap(ImageOrientation.init(rawValue:)) ?? .upright
  }

  /// The part of the upright image that the user has cropped it to, or nil for all of it.
  public var shownCrop: PhotoCrop? { crop.flatMap(PhotoCrop.init(text:))?.oriented(shownOrientation) }

  /// The upright image's width in pixels, or 0 if it is unknown.
  public var width: Int {
    get { knownWidth ?? 0 }
    set { knownWidth = newValue > 0 ? newValue : nil }
  }

  /// The upright image's height in pixels, or 0 if it is unknown.
  public var height: Int {
    get { knownHeight ?? 0 }
    set { knownHeight = newValue > 0 ? newValue : nil }
  }

  /// Exchanges the sides of the image, as when it is rotated by a quarter.
  public mutating func swapSides() { (knownWidth, knownHeight) = (knownHeight, knownWidth) }
}

/// The time at which a photo was taken, by the clock of its camera, whose offset from UTC may be unknown.
public struct CaptureTime: Hashable, Sendable {
  /// The time that the clock showed, in seconds since 1970-01-01 00:00:00 of the same clock.
  public var clock: Double
  /// The clock's offset from UTC in seconds, positive in the east, or nil if the file does not say.
  public var offset: Int?

  /// Creates a time.
  public init(clock: Double, offset: Int? = nil) {
    self.clock = clock
    self.offset = offset
  }

  /// The values of ``clock`` that ISO 8601 can write: the years 0 to 9999.
  public static let clocks = -62_167_219_200.0..<253_402_300_800
}
