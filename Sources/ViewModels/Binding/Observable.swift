/// A value that can be read and observed, but not set.
///
/// Declare a property with ``Published`` to set the value of an observable. Its readers get the observable by the
/// property's name with a `$`:
///
/// ```swift
/// let label = basket.$total.bind { text in show(text) }
/// ```
@MainActor
public final class Observable<Value> {
  /// The current value.
  public fileprivate(set) var value: Value {
    didSet { notify() }
  }

  private var observers: [WeakSubscription] = []

  fileprivate init(_ value: Value) {
    self.value = value
  }

  /// Calls a handler with the current value now, and with the current value after each change.
  ///
  /// A handler may set the value again. Handlers that have not been called by then are called twice, both times with the
  /// newest value.
  ///
  /// - Returns: The subscription that keeps the handler bound. The handler isn't called any more after the subscription
  ///   has been canceled or released.
  public func bind(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
    let subscription = Subscription { [weak self] in
      if let self { handler(value) }
    }
    // A value that is never set again would otherwise collect an entry for each released subscription.
    observers.removeAll { !$0.isActive }
    observers.append(WeakSubscription(subscription))
    subscription.call()
    return subscription
  }

  /// The number of active subscriptions.
  var subscriptionCount: Int { observers.count { $0.isActive } }
  /// The number of entries in the list of observers, including those of released subscriptions.
  var entryCount: Int { observers.count }

  private func notify() {
    observers.removeAll { !$0.isActive }
    for observer in observers { observer.subscription?.call() }
  }
}

/// A property whose changes can be observed.
///
/// The type that declares the property sets it. Other types read the property, and observe it through the projected
/// ``Observable``, which has no setter:
///
/// ```swift
/// @MainActor
/// final class BasketViewModel {
///   @Published public private(set) var total = ""
/// }
///
/// basket.total                      // reads the value
/// basket.$total.bind { show($0) }   // observes it
/// basket.$total.value = "1 print"   // does not compile
/// ```
@MainActor
@propertyWrapper
public struct Published<Value> {
  /// The read-only side of the property.
  public let projectedValue: Observable<Value>

  /// The current value. Setting it calls the bound handlers, even if the new value equals the old one.
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.value = newValue }
  }

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) {
    projectedValue = Observable(wrappedValue)
  }
}
