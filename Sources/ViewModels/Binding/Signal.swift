/// Events that can be observed, but not sent.
///
/// A signal has no current value: a handler is called only with the events that follow its binding. The owner of the
/// signal keeps it as a ``Subject``, which can send.
@MainActor
public class Signal<Value> {
  private var observers: [(subscription: WeakSubscription, handler: @MainActor (Value) -> Void)] = []

  fileprivate init() {}

  /// Calls a handler with each event from now on.
  ///
  /// - Returns: The subscription that keeps the handler bound. The handler isn't called any more after the subscription
  ///   has been canceled or released.
  public func bind(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
    let subscription = Subscription {}
    observers.removeAll { !$0.subscription.isActive }
    observers.append((WeakSubscription(subscription), handler))
    return subscription
  }

  /// The number of entries in the list of observers, including those of released subscriptions.
  var entryCount: Int { observers.count }

  fileprivate func notify(_ value: Value) {
    observers.removeAll { !$0.subscription.isActive }
    for (subscription, handler) in observers where subscription.isActive { handler(value) }
  }
}

/// A signal whose owner sends the events.
///
/// Keep the subject private and hand it out as a ``Signal``:
///
/// ```swift
/// public var alerts: Signal<Alert> { alertSubject }
/// private let alertSubject = Subject<Alert>()
/// ```
@MainActor
public final class Subject<Value>: Signal<Value> {
  /// Creates a subject without observers.
  public override init() { super.init() }

  /// Sends an event to the handlers that are bound now.
  public func send(_ value: Value) { notify(value) }
}

extension Subject<Void> {
  /// Sends an event that carries no value.
  public func send() { send(()) }
}
