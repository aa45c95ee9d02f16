import Services
import Store

/// The store keeps the basket itself, so it needs no service around it.
extension StateStore: BasketServiceProtocol {}
