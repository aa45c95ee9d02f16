import Gallery

/// An integer in a service's answer.
///
/// If the number is not an integer, the fault names its place. The error of the decoder itself does not.
public struct WireInteger: Decodable {
  /// The integer.
  public let value: Int

  public init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw ContentFault.value(at: decoder.codingPath, .notAnInteger)
    }
  }
}

/// A count in a service's answer: an integer that is not negative and that is small enough for sums and products.
public struct WireCount: Decodable {
  private static let largest = 1_000_000_000

  /// The count.
  public let value: Int

  public init(from decoder: any Decoder) throws {
    value = try WireInteger(from: decoder).value
    guard (0...Self.largest).contains(value) else {
      throw ContentFault.value(at: decoder.codingPath, .notFromZero(to: Self.largest))
    }
  }
}
