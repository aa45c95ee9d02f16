import Gallery

/// A service that keeps the basket.
///
/// Each method returns the whole basket as it is after the call, including changes that were made elsewhere.
public protocol BasketServiceProtocol: Sendable {
  /// Returns the basket.
  func basket() async throws(APIError) -> Basket
  /// Adds one copy of a print. Returns nil if the basket already has all copies that are left.
  func put(_ print: Print) async throws(APIError) -> Basket?
  /// Removes one copy of a print, if the basket has any.
  func takeOut(_ print: Print.ID) async throws(APIError) -> Basket
}
