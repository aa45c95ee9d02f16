/// A handler's binding to an ``Observable`` or a ``Signal``.
///
/// The binding ends when the subscription is canceled or released.
@MainActor
public final class Subscription {
  private var handler: (@MainActor () -> Void)?

  init(_ handler: @escaping @MainActor () -> Void) {
    self.handler = handler
  }

  /// Ends the binding.
  public func cancel() { handler = nil }

  fileprivate var isCanceled: Bool { handler == nil }

  /// Calls the handler unless the subscription has been canceled.
  func call() { handler?() }
}

/// A reference to a subscription that doesn't keep it alive.
@MainActor
struct WeakSubscription {
  weak let subscription: Subscription?

  init(_ subscription: Subscription) {
    self.subscription = subscription
  }

  /// Whether the subscription has been neither canceled nor released.
  var isActive: Bool { subscription.map { !$0.isCanceled } ?? false }
}
