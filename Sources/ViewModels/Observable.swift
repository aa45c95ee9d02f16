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
public final class Subject<Value: Sendable> {
  private var observers: [(subscription: WeakSubscription, handler: @MainActor (Value) -> Void)] = []
  private var continuations: [AsyncStream<Value>.Continuation] = []

  public init() {}

  public func send(_ value: Value) {
    observers.removeAll { !$0.subscription.isAlive }
    for (subscription, handler) in observers where subscription.isAlive { handler(value) }
    continuations.removeAll {
      if case .terminated = $0.yield(value) { true } else { false }
    }
  }

  /// Calls `handler` with each event from now on, until the subscription is canceled or released.
  public func bind(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
    let subscription = Subscription {}
    observers.removeAll { !$0.subscription.isAlive }
    observers.append((WeakSubscription(subscription), handler))
    return subscription
  }

  /// The events from now on, as a stream that keeps those nobody has taken yet.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    continuations.append(continuation)
    return stream
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
