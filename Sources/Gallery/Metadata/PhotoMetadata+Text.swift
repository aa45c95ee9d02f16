// The texts of metadata in a photo's details.

import Geography

extension PhotoMetadata {
  /// The known parts of the exposure, such as `1/250 s, f/2.8, 35 mm, ISO 400, +0.7 EV`.
  public var exposureText: String? { exposureParts.isEmpty ? nil : exposureParts.joined(separator: ", ") }

  /// The known parts of ``exposureText``.
  public var exposureParts: [String] {
    let parts: [String?] = [
      exposureTime.flatMap(ShownExposure.init).map(\.text),
      fNumber.map { "f/\($0.short)" }, focalLength.map { "\($0.short) mm" }, iso.map { "ISO \($0)" }, exposureBiasText,
    ]
    return parts.compactMap(\.self)
  }

  /// The exposure time in seconds, rounded as ``exposureText`` shows it, so that a query finds what the user sees.
  var shownExposureTime: Double? { exposureTime.flatMap(ShownExposure.init)?.seconds }

  /// The exposure bias with its sign, or nil if there is none.
  private var exposureBiasText: String? {
    guard let bias = exposureBias?.roundedAsShown, bias != 0 else { return nil }
    return "\(bias < 0 ? "−" : "+")\(abs(bias).short) EV"
  }

  /// The upright image's size in pixels; nil if it is unknown.
  public var pixelsText: String? { width > 0 && height > 0 ? "\(width)×\(height)" : nil }

  /// The coding of a video, and its frames in a second.
  var videoText: String? {
    guard let codec else { return nil }
    return frameRate.map { "\(codec.printable), \(localized("\($0.short) fps"))" } ?? codec.printable
  }

  /// The stars of the photo, or the word for a rejected photo.
  public var ratingText: String? {
    switch rating {
    case .some(1...5): String(repeating: "★", count: rating ?? 0)
    case .some(-1): localized("rejected")
    default: nil
    }
  }

  /// The place in words, from the narrowest to the country. Without any, it is guessed from the position.
  var locationText: String? {
    let parts = [location, city, state, country ?? countryCode].compactMap { $0?.printable.nonEmpty }
    if !parts.isEmpty { return parts.joined(separator: ", ") }
    return nearestCity.map { localized("near \($0.name.printable), \($0.country.printable)") }
  }

  var keywordsText: String? {
    keywords.isEmpty ? nil : keywords.map(\.printable).joined(separator: ", ")
  }
}

/// An exposure time as photographers write it: short ones are a fraction of a second.
private enum ShownExposure {
  case fraction(Int)
  case seconds(Double)

  /// Returns nil for a time that no camera has. A catalog may contain any number.
  init?(_ time: Double) {
    guard time > 1e-9 else { return nil }
    self = time < 0.3 ? .fraction(Int((1 / time).rounded())) : .seconds(time)
  }

  var text: String {
    switch self {
    case .fraction(let divisor): "1/\(divisor) s"
    case .seconds(let seconds): "\(seconds.short) s"
    }
  }

  var seconds: Double {
    switch self {
    case .fraction(let divisor): 1 / Double(divisor)
    case .seconds(let seconds): seconds.roundedAsShown
    }
  }
}

extension PhotoMetadata.Place {
  /// The place in degrees, exact to about ten meters.
  public var text: String { text(digits: 4) }

  /// Returns the place in degrees with a number of decimals, at most 5.
  public func text(digits: Int) -> String {
    let scale = (0..<min(5, digits)).reduce(1) { scale, _ in scale * 10 }
    func degrees(_ value: Double) -> String {
      let parts = Int((abs(value) * Double(scale)).rounded())
      let fraction = scale == 1 ? "" : "\(Language.decimalSign)\(String(parts % scale + scale).dropFirst())"
      return "\(parts / scale)\(fraction)"
    }
    let (north, east) = (degrees(latitude), degrees(longitude))
    let first = latitude < 0 ? localized("\(north)° S") : localized("\(north)° N")
    let second = longitude < 0 ? localized("\(east)° W") : localized("\(east)° E")
    return "\(first), \(second)"
  }
}

extension Double {
  /// The number with one digit after the decimal point, or without any if that digit is 0.
  var short: String {
    guard abs(self) < 1e9 else { return "?" }
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10)\(Language.decimalSign)\(abs(tenths % 10))"
  }

  /// The number that ``short`` shows.
  var roundedAsShown: Double { (self * 10).rounded() / 10 }
}
