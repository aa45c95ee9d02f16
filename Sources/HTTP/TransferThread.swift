import CCurl
import Foundation

/// The thread on which libcurl does all transfers.
///
/// It starts with the first transfer. Without transfers it sleeps until the next order. The class is unchecked because
/// the compiler cannot see that a lock protects the orders, and that only the thread uses the rest.
final class TransferThread: @unchecked Sendable {
  private enum Order {
    case start(Transfer)
    case cancel(Transfer)
    case stop
  }

  private let condition = NSCondition()
  private var orders: [Order] = []
  private var isStopped = false
  private var multi: UnsafeMutableRawPointer?
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]

  /// The number of connections that are kept for later requests.
  private static let connections = 8

  func run(_ transfer: Transfer) async throws(HTTPError) -> Transfer.Answer {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.completion = { continuation.resume(returning: $0) }
        give(.start(transfer))
      }
    } onCancel: {
      give(.cancel(transfer))
    }
    return try result.get()
  }

  /// Ends all transfers, and the thread. Later transfers are canceled at once.
  func stop() {
    condition.withLock {
      if multi != nil, !isStopped { give(.stop, to: multi) }
      isStopped = true
    }
  }

  private func give(_ order: Order) {
    condition.withLock {
      if isStopped {
        // The handle of libcurl may be freed. All earlier transfers have been canceled.
        if case .start(let transfer) = order { transfer.completion(.failure(.cancelled)) }
        return
      }
      if multi == nil { start() }
      give(order, to: multi)
    }
  }

  /// Queues an order. The caller holds the lock.
  private func give(_ order: Order, to multi: UnsafeMutableRawPointer?) {
    orders.append(order)
    condition.signal()
    _ = curl.multi_wakeup(multi)
  }

  private func start() {
    multi = curl.multi_init()
    ccurl_set_multi_long(multi, CURLMOPT_MAXCONNECTS, Self.connections)
    // The main thread handles signals, and each thread its own faults. SIGPIPE stays blocked.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    Thread { [self] in
      Thread.current.name = "http"
      work()
    }.start()
  }
}

// The work of the thread.
extension TransferThread {
  private func work() {
    while true {
      for order in nextOrders() {
        switch order {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .stop: return cleanUp()
        }
      }
      var count: Int32 = 0
      _ = curl.multi_perform(multi, &count)
      while let message = curl.multi_info_read(multi, &count) { end(message) }
      // libcurl shortens this timeout to its own next deadline, and an order ends the wait.
      if !running.isEmpty { _ = curl.multi_poll(multi, nil, 0, .max, nil) }
    }
  }

  private func nextOrders() -> [Order] {
    condition.withLock {
      while running.isEmpty && orders.isEmpty { condition.wait() }
      defer { orders = [] }
      return orders
    }
  }

  private func start(_ transfer: Transfer) {
    // The transfer may have been canceled before it started.
    guard !transfer.isCancelled else { return transfer.completion(.failure(.cancelled)) }
    running[transfer.easy] = transfer
    _ = curl.multi_add_handle(multi, transfer.easy)
  }

  private func cancel(_ transfer: Transfer) {
    transfer.isCancelled = true
    guard remove(transfer.easy) != nil else { return }
    transfer.completion(.failure(.cancelled))
  }

  private func end(_ message: UnsafeMutablePointer<CURLMsg>) {
    guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { return }
    // The message is freed with the handle.
    let result = ccurl_result(message)
    remove(easy)?.end(result)
  }

  @discardableResult
  private func remove(_ easy: UnsafeMutableRawPointer) -> Transfer? {
    guard let transfer = running.removeValue(forKey: easy) else { return nil }
    _ = curl.multi_remove_handle(multi, easy)
    return transfer
  }

  private func cleanUp() {
    for easy in running.keys { remove(easy)?.completion(.failure(.cancelled)) }
    _ = curl.multi_cleanup(multi)
  }
}
