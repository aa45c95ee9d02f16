import Services
import Store

extension StateStore: BasketServiceProtocol {}
