/// An integer in an answer. The fault of any other number names its place, which the decoder's own error does not.
public struct WireInteger: Decodable {
  public let value: Int

  public init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw AnswerFault.field(at: decoder.codingPath, reason: "is not an integer, or too large")
    }
  }
}

/// A count in an answer: an integer that is not negative, and small enough to be multiplied and added.
public struct WireCount: Decodable {
  private static let largest = 1_000_000_000

  public let value: Int

  public init(from decoder: any Decoder) throws {
    value = try WireInteger(from: decoder).value
    guard (0...Self.largest).contains(value) else {
      throw AnswerFault.field(at: decoder.codingPath, reason: "is not from 0 to \(Self.largest)")
    }
  }
}
