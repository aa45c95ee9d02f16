/// A value that tells who is bound to it when it is set.
@MainActor
public final class Observable<Value> {
  public var value: Value {
    didSet { tell() }
  }

  private var observers: [WeakSubscription] = []

  public init(_ value: Value) {
    self.value = value
  }

  /// Calls `handler` with the present value, and with each later one, until the subscription is canceled or released.
  public func bind(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
    let subscription = Subscription { [weak self] in
      if let self { handler(value) }
    }
    // One that is never set again would keep those let go for ever.
    observers.removeAll { !$0.isAlive }
    observers.append(WeakSubscription(subscription))
    subscription.call()
    return subscription
  }

  /// How many are bound to it, and how many are kept, be they bound or not.
  var bound: Int { observers.count { $0.isAlive } }
  var kept: Int { observers.count }

  private func tell() {
    observers.removeAll { !$0.isAlive }
    // One may set the value again: the others are then called twice, each time with the newest.
    for observer in observers { observer.subscription?.call() }
  }
}

/// Events, told to who is bound at the moment they happen.
@MainActor
public final class Subject<Value> {
  private var observers: [(subscription: WeakSubscription, handler: @MainActor (Value) -> Void)] = []

  public init() {}

  public func send(_ value: Value) {
    observers.removeAll { !$0.subscription.isAlive }
    for (subscription, handler) in observers where subscription.isAlive { handler(value) }
  }

  /// Calls `handler` with each event from now on, until the subscription is canceled or released.
  public func bind(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
    let subscription = Subscription {}
    observers.removeAll { !$0.subscription.isAlive }
    observers.append((WeakSubscription(subscription), handler))
    return subscription
  }
}

extension Subject<Void> {
  public func send() { send(()) }
}

/// What holds a binding. The binding goes with it.
@MainActor
public final class Subscription {
  private var handler: (@MainActor () -> Void)?

  init(_ handler: @escaping @MainActor () -> Void) {
    self.handler = handler
  }

  public func cancel() { handler = nil }

  fileprivate var isCancelled: Bool { handler == nil }

  fileprivate func call() { handler?() }
}

@MainActor
private struct WeakSubscription {
  weak let subscription: Subscription?

  init(_ subscription: Subscription) {
    self.subscription = subscription
  }

  var isAlive: Bool { subscription.map { !$0.isCancelled } ?? false }
}
