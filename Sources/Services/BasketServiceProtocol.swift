import Gallery

/// Who keeps the basket. Every answer is the basket as it now is, whoever else changed it.
public protocol BasketServiceProtocol: Sendable {
  func basket() async throws(APIError) -> Basket
  /// Puts in one of this print; nil if all that are left are in the basket already.
  func put(_ print: Print) async throws(APIError) -> Basket?
  /// Takes out one of this print, if there is one.
  func takeOut(_ print: Print.ID) async throws(APIError) -> Basket
}
