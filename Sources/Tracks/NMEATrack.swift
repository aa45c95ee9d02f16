import Gallery

/// The points in the sentences of a receiver (NMEA 0183): the position with its date from RMC, and the altitude from GGA.
enum NMEATrack {
  static func points(of bytes: [UInt8]) -> [PositionTrack.Point] {
    var points: [PositionTrack.Point] = []
    var altitude: (time: Substring, meters: Double)?
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let fields = fields(of: line), let kind = fields.first?.suffix(3) else { continue }
      if kind == "GGA", fields.count > 9, let meters = Double(fields[9]), abs(meters) < 1e6 {
        altitude = (fields[1], meters)
      }
      // A is a valid position, and V a warning of the receiver.
      guard kind == "RMC", fields.count > 9, fields[2] == "A", let moment = moment(date: fields[9], time: fields[1]),
        let latitude = degrees(fields[3], fields[4], digits: 2),
        let longitude = degrees(fields[5], fields[6], digits: 3)
      else { continue }
      let place = PhotoMetadata.Place(
        latitude: latitude, longitude: longitude, altitude: altitude?.time == fields[1] ? altitude?.meters : nil)
      points.append(PositionTrack.Point(moment: moment, place: place))
    }
    return points
  }

  /// Returns the fields of a sentence whose checksum is right, or missing.
  private static func fields(of line: ArraySlice<UInt8>) -> [Substring]? {
    guard line.first == UInt8(ascii: "$") else { return nil }
    let parts = line.dropFirst().split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    let sum = parts[0].reduce(0, ^)
    if parts.count > 1, UInt8(String(decoding: parts[1].prefix(2), as: UTF8.self), radix: 16) != sum { return nil }
    return String(decoding: parts[0], as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
  }

  /// Returns the degrees of `5955.1234` and `N`.
  private static func degrees(_ text: Substring, _ direction: Substring, digits: Int) -> Double? {
    guard text.count > digits, let degrees = Double(text.prefix(digits)), let minutes = Double(text.dropFirst(digits)),
      degrees >= 0, (0..<60).contains(minutes), degrees + minutes / 60 <= (digits == 2 ? 90 : 180)
    else { return nil }
    let value = degrees + minutes / 60
    return ["S", "W"].contains(direction) ? -value : value
  }

  /// Returns the moment of `311226` and `140320.5`. Receivers have written years of two digits since 1980.
  private static func moment(date: Substring, time: Substring) -> Double? {
    func two(_ text: Substring, _ place: Int) -> Int? { Int(text.dropFirst(place).prefix(2)) }
    guard date.count == 6, time.count >= 6, let day = two(date, 0), let month = two(date, 2), let year = two(date, 4),
      let hour = two(time, 0), let minute = two(time, 2), let second = Double(time.dropFirst(4)),
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second)
    else { return nil }
    return CalendarTime(
      year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day,
      secondOfDay: Double(hour * 3600 + minute * 60) + second)?.clock
  }
}
