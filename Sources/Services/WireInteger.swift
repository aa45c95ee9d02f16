/// An integer; of any other number the fault names the place, which the decoder's own does not.
struct WireInteger: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw CatalogFault.field(at: decoder.codingPath, reason: "is not an integer, or too large")
    }
  }
}

/// An integer that counts something: not negative, and small enough to be multiplied and added up.
struct WireCount: Decodable {
  static let largest = 1_000_000_000

  let value: Int

  init(from decoder: any Decoder) throws {
    value = try WireInteger(from: decoder).value
    guard (0...Self.largest).contains(value) else {
      throw CatalogFault.field(at: decoder.codingPath, reason: "is not from 0 to \(Self.largest)")
    }
  }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
