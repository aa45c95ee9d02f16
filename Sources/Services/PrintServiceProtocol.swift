import Gallery

/// A service that offers prints for sale.
public protocol PrintServiceProtocol: Sendable {
  /// Fetches one page of prints.
  ///
  /// - Parameter page: The number of the page, counted from 1. A page after the last one has no items.
  func fetchPrints(page: Int) async throws(APIError) -> Page<Print>
}
