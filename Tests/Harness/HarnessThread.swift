import Glibc

/// A thread outside the cooperative pool, which may block.
struct HarnessThread: Sendable {
  private let handle: pthread_t

  /// Starts a thread that runs `body` once.
  init(_ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    var handle = pthread_t()
    let result = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
    precondition(result == 0, "no thread could be started: \(String(cString: strerror(result)))")
    self.handle = handle
  }

  /// Waits until the thread has ended. It must be called once, unless the thread is detached.
  func join() { pthread_join(handle, nil) }

  /// Releases the thread's resources when it ends, so that nothing has to join it.
  func detach() { pthread_detach(handle) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
