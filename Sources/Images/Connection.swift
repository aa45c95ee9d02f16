import CSystem
import Dispatch
import Foundation
import Gallery
import ImageWire

/// A worker process, and the socket to it.
@MainActor
final class Connection<Answer: WireMessage> {
  /// Called with each answer. Returns whether it is one to the request; if it is not, the process is ended.
  var onMessage: (Answer) -> Bool = { _ in true }
  /// Called once, with the reason why the process has ended, or could not be started.
  var onEnd: (ImageFault) -> Void = { _ in }

  private let socket: Int32
  /// The source of answers; nil from the end on.
  private var source: (any DispatchSourceRead)?
  private var process = WorkerProcess.starting
  /// Called when the process has started, or could not be started.
  private var onStart: (() -> Void)?
  private var buffer = WireBuffer()
  /// The timer of the request that has no answer yet.
  private var timer: (any DispatchSourceTimer)?
  /// The most bytes of the answer to the request.
  private var longest = 0
  private let starts: WorkerStarts
  private var hasAnswered = false

  /// Starts a process, unless others have ended at once. Requests can be sent at once.
  init(executable: String, arguments: [String] = [], starts: WorkerStarts = WorkerStarts()) {
    self.starts = starts
    var ends: [Int32] = [-1, -1]
    if let fault = starts.refusal {
      socket = -1
      process = .failed(fault)
      afterThisTurn { self.onEnd(fault) }
      return
    }
    guard connect_sockets(&ends) == 0 else {
      let error = errno
      socket = -1
      process = .failed(.noWorker(error))
      afterThisTurn { self.onEnd(.noWorker(error)) }
      return
    }
    let (socket, standardInput) = (ends[0], ends[1])
    self.socket = socket
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    self.source = source
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.receive() } }
    source.setCancelHandler { close(socket) }
    source.activate()
    let environment = WorkerProcess.environment
    WorkerProcess.detachThread {
      let process = WorkerProcess(executable, arguments, environment: environment, standardInput: standardInput)
      close(standardInput)
      DispatchQueue.main.async { MainActor.assumeIsolated { self.didStart(process) } }
    }
  }

  isolated deinit {
    guard let source else { return }
    source.cancel()
    // The thread that starts the process keeps this object until then.
    guard case .running(let id) = process else { return }
    kill(id, SIGKILL)
    WorkerProcess.reap(id) { _ in }
  }

  private func didStart(_ process: WorkerProcess) {
    self.process = process
    onStart?()
    onStart = nil
  }

  /// Sends a request.
  /// - Parameters:
  ///   - longest: The most bytes of an answer. A worker that sends more is killed.
  ///   - patience: The time after which a worker that has not answered is killed.
  func send(_ bytes: [UInt8], longest: Int = WireBuffer.longest, patience: DispatchTimeInterval) {
    guard source != nil else { return }
    self.longest = longest
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + patience)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.end(.unresponsive) }
    }
    timer.activate()
    self.timer = timer
    // A request is far smaller than the socket's buffer, which is empty at this moment.
    let count = bytes.withUnsafeBytes { send_without_signal(socket, $0.baseAddress, $0.count) }
    if count != bytes.count { endUnread() }
  }

  /// Ends the process, and waits until it has ended.
  func stop() async {
    guard source != nil else { return }
    await withCheckedContinuation { ended in terminate { _ in ended.resume() } }
  }

  /// Ends the process because of an answer that turned out to be none.
  func reject() { end(.invalidAnswer) }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // The rest is read in the next turn of the event loop, after waiting keys.
    for _ in 0..<16 {
      let count = read(socket, &chunk, chunk.count)
      if count < 0, errno == EAGAIN { break }
      // The kernel reports this if the process has left something unread.
      if count < 0, errno == ECONNRESET { return endUnread() }
      guard count > 0 else { return end(nil) }
      buffer.append(chunk[..<count])
    }
    do throws(WireError) {
      while let answer = try buffer.next(Answer.self, atMost: longest) {
        // A worker that a hostile file has taken over could send answers without end.
        guard let timer else { return end(.invalidAnswer) }
        timer.cancel()
        self.timer = nil
        longest = 0
        hasAnswered = true
        starts.succeed()
        guard onMessage(answer) else { return end(.invalidAnswer) }
      }
    } catch {
      end(.invalidAnswer)
    }
  }

  /// Ends the process that has ended without reading the request.
  private func endUnread() { end(hasAnswered || timer == nil ? nil : .endsAtOnce) }

  private func end(_ fault: ImageFault?) {
    guard source != nil else { return }
    terminate { own in
      var fault = fault ?? own
      if case .noWorker = own { fault = own }
      if case .noWorker = fault { self.starts.fail(fault) }
      self.onEnd(fault)
    }
  }

  /// Ends the process, and calls `onEnd` with the reason why it would have ended by itself when it is gone.
  private func terminate(_ onEnd: @escaping @MainActor (ImageFault) -> Void) {
    timer?.cancel()
    source?.cancel()
    source = nil
    switch process {
    case .starting: onStart = { self.terminate(onEnd) }
    case .running(let id):
      kill(id, SIGKILL)
      WorkerProcess.reap(id) { onEnd(WorkerProcess.fault($0)) }
    case .failed(let fault): afterThisTurn { onEnd(fault) }
    }
  }

  /// The caller may be in the middle of a frame, and has not set `onEnd` yet.
  private func afterThisTurn(_ body: @escaping @MainActor () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
  }
}

extension ImageFault {
  /// The worker ends before it has read a request.
  static var endsAtOnce: ImageFault { .noWorker(reason: localized("it ends at once")) }

  static func noWorker(_ error: Int32) -> ImageFault { .noWorker(reason: String(cString: strerror(error))) }
}
