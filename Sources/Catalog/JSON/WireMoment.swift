import FoundationEssentials
import Gallery

/// A moment in a service's answer, written in ISO 8601 with an offset from UTC.
public struct WireMoment: Decodable {
  /// The moment.
  public let date: Date

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let date = Timestamp(text)?.date else {
      throw ContentFault.value(at: decoder.codingPath, .notADate(String(text.prefix(40))))
    }
    self.date = date
  }
}
