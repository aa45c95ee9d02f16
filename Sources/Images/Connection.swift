import Dispatch
import Foundation
import Gallery
import ImageWire

/// An error of the system that keeps a worker process from starting.
struct WorkerStartFailed: Error {
  /// The system's words for it.
  let reason: String
}

/// A running worker process, and the socket to it.
@MainActor
final class Connection<Answer: WireMessage> {
  /// Called with each answer.
  var onMessage: (Answer) -> Void = { _ in }
  /// Called once, with the reason why the process has ended.
  var onEnd: (ImageFault) -> Void = { _ in }

  private let socket: Int32
  private let processID: pid_t
  private let source: any DispatchSourceRead
  private var buffer = WireBuffer()
  /// The timer of the request that has no answer yet.
  private var timer: (any DispatchSourceTimer)?

  init(executable: String, arguments: [String] = []) throws(WorkerStartFailed) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw WorkerStartFailed(reason: String(cString: strerror(errno)))
    }
    defer { close(ends[1]) }
    do {
      processID = try Self.spawn(executable, arguments, standardInput: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    socket = ends[0]
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.receive() } }
    source.setCancelHandler { [socket] in close(socket) }
    source.activate()
  }

  isolated deinit {
    guard !source.isCancelled else { return }
    source.cancel()
    kill(processID, SIGKILL)
    Self.reap(processID) { _ in }
  }

  /// Sends a request. If the worker has not answered after `patience`, it is killed.
  func send(_ bytes: [UInt8], patience: DispatchTimeInterval) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + patience)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.end(.unresponsive) }
    }
    timer.activate()
    self.timer = timer
    // A request is far smaller than the socket's buffer, which is empty at this moment.
    let count = bytes.withUnsafeBytes {
      Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != bytes.count { end(nil) }
  }

  /// Ends the process, and waits until it has ended.
  func stop() async {
    guard !source.isCancelled else { return }
    timer?.cancel()
    source.cancel()
    kill(processID, SIGKILL)
    await withCheckedContinuation { ended in Self.reap(processID) { _ in ended.resume() } }
  }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // The rest is read in the next turn of the event loop, after waiting keys.
    for _ in 0..<16 {
      let count = read(socket, &chunk, chunk.count)
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return end(nil) }
      buffer.append(chunk[..<count])
    }
    do throws(WireError) {
      while let answer = try buffer.next(Answer.self) {
        // A worker that a hostile file has taken over could send answers without end.
        guard let timer else { return end(.invalidAnswer) }
        timer.cancel()
        self.timer = nil
        onMessage(answer)
      }
    } catch {
      end(.invalidAnswer)
    }
  }

  private func end(_ fault: ImageFault?) {
    guard !source.isCancelled else { return }
    timer?.cancel()
    source.cancel()
    kill(processID, SIGKILL)
    Self.reap(processID) { status in self.onEnd(fault ?? Self.fault(status)) }
  }

  /// Waits on a separate thread for a process that has been killed. It takes as long as the kernel needs to free its memory,
  /// or a hanging file system to answer it.
  private static func reap(_ processID: pid_t, _ onEnd: @escaping @MainActor (_ status: Int32) -> Void) {
    Thread.detachNewThread {
      // Signals are for the main thread.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      DispatchQueue.main.async { [status] in MainActor.assumeIsolated { onEnd(status) } }
    }
  }

  /// Returns the fault that the status of an ended process means.
  private static func fault(_ status: Int32) -> ImageFault {
    switch status & 0x7F {
    case SIGPROF: .timedOut
    case SIGALRM: .unresponsive
    default: .crashed
    }
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], standardInput: Int32
  ) throws(WorkerStartFailed) -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, standardInput, 0)
    // Libraries would print over the gallery.
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    var processID: pid_t = 0
    let words = ([executable] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    let variables = workerEnvironment.map { strdup($0) }
    defer { for variable in variables { free(variable) } }
    let failure = posix_spawn(&processID, executable, &files, nil, words + [nil], variables + [nil])
    guard failure == 0 else { throw WorkerStartFailed(reason: String(cString: strerror(failure))) }
    return processID
  }
}

/// The variables of the environment of a worker that starts now.
///
/// Large blocks of memory have large pages (glibc manual, "Memory Allocation Tunables"). An image for kitty at 200x60 cells
/// touches 30,000 pages otherwise, which is a fifth of its time.
private var workerEnvironment: [String] {
  var variables = ProcessInfo.processInfo.environment
  if variables["GLIBC_TUNABLES"] == nil { variables["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1" }
  return variables.map { "\($0)=\($1)" }
}
