/// The parts of a position as texts of XMP (XMP Specification, part 2, "GPSCoordinate" and "Rational").
public enum XMPPosition {
  /// Returns a latitude in degrees as a text such as `59,25.5N`.
  public static func latitude(_ degrees: Double) -> String { text(degrees, "N", "S") }

  /// Returns a longitude in degrees as a text such as `10,45.25E`.
  public static func longitude(_ degrees: Double) -> String { text(degrees, "E", "W") }

  /// Returns an altitude in meters as a fraction such as `1234/10`. It has a minus sign below the sea, which XMP keeps in a property of
  /// its own.
  public static func altitude(_ meters: Double) -> String {
    "\(Int((min(highest, max(-highest, meters)) * 10).rounded()))/10"
  }

  /// The largest altitude in meters, above the sea or below it.
  private static let highest = 1e6

  /// Returns the degrees of a text such as `59,25.5N` or `59,25,30N`.
  public static func latitude(_ text: String) -> Double? { degrees(text, "N", "S", most: 90) }

  /// Returns the degrees of a text such as `10,45.25E`.
  public static func longitude(_ text: String) -> Double? { degrees(text, "E", "W", most: 180) }

  /// Returns the meters of a text such as `1234/10`, or nil if no place on earth has that altitude.
  public static func altitude(_ text: String) -> Double? { number(text).flatMap { abs($0) <= highest ? $0 : nil } }

  /// Returns the value of a number, or of a fraction such as `1/200`.
  public static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/").map { Double($0) ?? .nan }
    let value = parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
    return value.isFinite ? value : nil
  }

  /// The digits of the minutes are exact to some millimeters.
  private static func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
    let unit = 1_000_000
    let (minutes, rest) = Int((abs(degrees) * 60 * Double(unit)).rounded()).quotientAndRemainder(dividingBy: unit)
    let (whole, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    let digits = String(rest + unit).dropFirst()
    return "\(whole),\(minute).\(digits)\(degrees < 0 ? negative : positive)"
  }

  private static func degrees(
    _ text: String, _ positive: Character, _ negative: Character, most: Double
  ) -> Double? {
    guard let direction = text.last, direction == positive || direction == negative else { return nil }
    let parts = text.dropLast().split(separator: ",").map { Double($0) ?? .nan }
    let value = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    guard !parts.isEmpty, value <= most, parts.allSatisfy({ $0 >= 0 }), parts.dropFirst().allSatisfy({ $0 <= 60 })
    else { return nil }
    return direction == negative ? -value : value
  }
}
