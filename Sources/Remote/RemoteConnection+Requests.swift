import Foundation
import Gallery
import ImageWire
import Images
import Services
import Synchronization

/// The requests to the other machine.
extension RemoteConnection {
  /// Sends a request. Returns its channel, or nil if there is no connection.
  ///
  /// - Parameters:
  ///   - hasEnd: Whether it is forgotten when it is answered.
  ///   - handler: Called on another thread with its channel and what happens to it, perhaps before the channel is returned.
  func send(
    _ bytes: [UInt8], _ priority: RemoteLink.Priority = .urgent, hasEnd: Bool = true,
    _ handler: @escaping @Sendable (RemoteLink.Channel, Event) -> Void
  ) -> RemoteLink.Channel? {
    let place = state.withLock { state -> (RemoteLink, RemoteLink.Channel)? in
      guard state.isConnected, let link = state.link else { return nil }
      state.lastChannel = state.lastChannel == .max ? Self.photosChannel + 1 : state.lastChannel + 1
      state.handlers[state.lastChannel] = { [channel = state.lastChannel] in handler(channel, $0) }
      return (link, state.lastChannel)
    }
    guard let (link, channel) = place else { return nil }
    link.send(bytes, on: channel, priority, isRequest: hasEnd)
    return channel
  }

  /// Fetches the photos. Returns the channel and what comes on it, or nil if there is no connection.
  func fetchPhotos() -> (channel: RemoteLink.Channel, events: AsyncStream<Event>)? {
    let first = state.withLock { state in
      defer { state.photos = nil }
      return state.isConnected ? state.photos : nil
    }
    if let first { return (Self.photosChannel, first) }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    return send(RemoteCoding.bytes(.fetch), .list, hasEnd: false) { continuation.yield($1) }.map { ($0, events) }
  }

  /// Sends a further message on a channel.
  func send(_ bytes: [UInt8], on channel: RemoteLink.Channel) {
    state.withLock { $0.handlers[channel] == nil ? nil : $0.link }?.send(bytes, on: channel, .urgent)
  }

  /// Forgets a request that is answered.
  func forget(_ channel: RemoteLink.Channel) {
    let link = state.withLock { state in
      state.handlers[channel] = nil
      return state.link
    }
    link?.isAnswered(channel)
  }

  /// Forgets a request, of which no answer is wanted.
  func cancel(_ channel: RemoteLink.Channel) {
    let link = state.withLock { $0.handlers.removeValue(forKey: channel) == nil ? nil : $0.link }
    link?.cancel(channel)
  }

  /// Returns the answer to a request, which is repeated whenever the connection breaks.
  ///
  /// - Parameters:
  ///   - request: The request, which is made again for each attempt.
  ///   - onProgress: Called with the progress of a step, which is stopped if the result is true.
  func call(
    _ request: @autoclosure () -> RemoteRequest, onProgress: @escaping ProgressHandler = { _ in false }
  ) async throws(CancellationError) -> RemoteAnswer {
    while true {
      if case .answer(let answer) = try await repeated(request(), onProgress) { return answer }
    }
  }

  /// Returns the bytes that answer a request, which is repeated whenever the connection breaks; nil if the connection is ended.
  func bytes(_ request: RemoteRequest) async -> [UInt8]? {
    guard case .bytes(let bytes)? = try? await repeated(request, { _ in false }) else { return nil }
    return bytes
  }

  private func repeated(
    _ request: @autoclosure () -> RemoteRequest, _ onProgress: @escaping ProgressHandler
  ) async throws(CancellationError) -> RemoteCoding.IncomingAnswer {
    while true {
      if Task.isCancelled || state.withLock({ $0.isEnded }) { throw CancellationError() }
      if let answer = await callOnce(request(), onProgress) { return answer }
      await untilConnected()
    }
  }

  typealias ProgressHandler = @Sendable (StepProgress) -> Bool

  private func callOnce(
    _ request: RemoteRequest, _ onProgress: @escaping ProgressHandler
  ) async -> RemoteCoding.IncomingAnswer? {
    await withCheckedContinuation { continuation in
      let once = Mutex<CheckedContinuation<RemoteCoding.IncomingAnswer?, Never>?>(continuation)
      let finish: @Sendable (RemoteCoding.IncomingAnswer?) -> Void = { answer in
        let waiting = once.withLock { once in
          defer { once = nil }
          return once
        }
        waiting?.resume(returning: answer)
      }
      let channel = send(RemoteCoding.bytes(request)) { [weak self] channel, event in
        switch event {
        case .answer(.answer(.progress(let progress)), _):
          if onProgress(progress) { self?.send(RemoteCoding.bytes(.stop), on: channel) }
        case .answer(let answer, true):
          self?.forget(channel)
          finish(answer)
        case .answer: break
        case .broken: finish(nil)
        }
      }
      if channel == nil { finish(nil) }
    }
  }

  /// Waits until there is a connection. It may break again at once.
  func untilConnected() async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard !state.isConnected, !state.isEnded else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }
}

extension RemoteConnection: RemoteImageFetcher {
  public var throughput: Int { state.withLock { $0.link }?.throughput ?? 0 }

  public func fetch(
    _ request: ImageRequest, isAhead: Bool, knownAt: Int,
    _ handler: @escaping @Sendable ((answer: ImageAnswer, isWhole: Bool)?) -> Void
  ) -> UInt32? {
    send(RemoteCoding.bytes(request, isAhead: isAhead, knownAt: knownAt), isAhead ? .ahead : .visible) { _, event in
      switch event {
      case .answer(.image(let answer), let isWhole): handler((answer, isWhole))
      case .answer, .broken: handler(nil)
      }
    }
  }

  public func stop(_ fetch: UInt32) { cancel(fetch) }
}

extension RemoteConnection {
  /// Returns what `tintype doctor` says on the other machine.
  public func report() async -> [String] {
    guard case .report(let lines)? = try? await call(.report) else { return [] }
    return lines
  }

  /// Measures the line by what takes a second of it, or 16 MB.
  ///
  /// - Returns: The round trip in milliseconds, and the kilobytes that come in a second.
  public func measure() async -> (roundTrip: Int, kilobytes: Int) {
    var trips: [Duration] = []
    for _ in 0..<3 {
      let start = ContinuousClock.now
      _ = try? await call(.describe([]))
      trips.append(ContinuousClock.now - start)
    }
    let start = ContinuousClock.now
    var bytes = 0
    while ContinuousClock.now - start < .seconds(1), bytes < 1 << 24,
      let part = await self.bytes(.read("/dev/zero", offset: 0, count: 1 << 17)), !part.isEmpty
    {
      bytes += part.count
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return (Int((trips.min() ?? .zero) / .milliseconds(1)), Int(Double(bytes) / max(0.001, seconds) / 1000))
  }
}
