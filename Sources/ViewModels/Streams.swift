import AsyncAlgorithms

extension AsyncStream {
  /// A stream of the one value that `body` comes to. Whoever stops listening cancels it.
  static func once(_ body: @escaping @Sendable () async -> Element) -> AsyncStream where Element: Sendable {
    AsyncStream { continuation in
      let task = Task {
        continuation.yield(await body())
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
