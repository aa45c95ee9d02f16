import Services
import Store

/// The store keeps the searches itself, so it needs no service around it.
extension StateStore: SavedSearchServiceProtocol {}
