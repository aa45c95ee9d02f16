import Gallery

/// Where prints for sale come from.
public protocol PrintServiceProtocol: Sendable {
  /// - Parameter page: Counted from 1. A page behind the last has no items.
  func fetchPrints(page: Int) async throws(APIError) -> Page<Print>
}
