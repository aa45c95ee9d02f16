import Gallery

// What the user has corrected of what the camera has written. Programs read Exif first.
extension ExifCopy {
  /// Replaces the time at which the photo was taken if the user has corrected it.
  ///
  /// - Parameters:
  ///   - former: The time in the file; nil if it has none.
  ///   - time: The time that the gallery shows.
  mutating func correctTime(from former: CaptureTime?, to time: CaptureTime?) {
    // Servers leave out the fraction of a second.
    guard let time,
      former.map({ abs($0.clock - time.clock) >= 1 || $0.offset != time.offset && time.offset != nil }) ?? true
    else { return }
    let text = time.iso8601
    let clock = text.prefix(19).map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 }
    // The time of digitizing is that of scanning for some photos.
    let isSameTime = hasSamePhotoTags(0x9003, 0x9004)
    setPhoto(0x9003, text: String(clock))
    let fraction = text.dropFirst(19).prefix { $0 == "." || $0.isNumber }.dropFirst()
    setPhoto(0x9291, text: fraction.isEmpty ? nil : String(fraction))
    let offset = time.offset.map { $0 == 0 ? "+00:00" : String(text.suffix(6)) }
    setPhoto(0x9011, text: offset)
    guard isSameTime else { return }
    setPhoto(0x9004, text: String(clock))
    setPhoto(0x9292, text: fraction.isEmpty ? nil : String(fraction))
    setPhoto(0x9012, text: offset)
  }

  /// Replaces the position if the user has corrected it.
  ///
  /// - Parameters:
  ///   - former: The position in the file; nil if it has none.
  ///   - place: The position that the gallery shows.
  mutating func correctPlace(from former: PhotoMetadata.Place?, to place: PhotoMetadata.Place?) {
    guard let place, former.map({ $0.isFar(from: place) }) ?? true else { return }
    clearPlace()
    setPlace(1, text: place.latitude < 0 ? "S" : "N")
    setPlace(2, fractions: Self.degrees(place.latitude))
    setPlace(3, text: place.longitude < 0 ? "W" : "E")
    setPlace(4, fractions: Self.degrees(place.longitude))
    guard let altitude = place.altitude else { return }
    setPlace(5, byte: altitude < 0 ? 1 : 0)
    setPlace(6, fractions: [(Int((abs(altitude) * 10).rounded()), 10)])
  }

  /// Returns degrees, minutes and seconds, which are exact to some millimeters.
  private static func degrees(_ value: Double) -> [(Int, Int)] {
    let unit = 10_000
    let (minutes, seconds) = Int((abs(value) * 3600 * Double(unit)).rounded()).quotientAndRemainder(
      dividingBy: 60 * unit)
    return [(minutes / 60, 1), (minutes % 60, 1), (seconds, unit)]
  }
}

extension PhotoMetadata.Place {
  /// Returns whether another place is too far away to be the same one with fewer digits.
  func isFar(from other: Self) -> Bool {
    let isHigher = other.altitude.map { new in altitude.map { abs($0 - new) > 1 } ?? true } ?? false
    return isHigher || abs(latitude - other.latitude) > 0.000_05 || abs(longitude - other.longitude) > 0.000_05
  }
}
