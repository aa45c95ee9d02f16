import CSystem
import Dispatch
import Foundation
import Gallery

/// The state of a worker process.
enum WorkerProcess {
  /// It is started on another thread, which waits until the kernel has loaded it.
  case starting
  case running(pid_t)
  case failed(ImageFault)

  /// Starts a process, and returns when the kernel has loaded it: not on the main thread.
  ///
  /// This reads no variables of the environment, since the main thread may set some.
  /// - Parameter environment: The variables of the process, as `NAME=value`.
  init(_ executable: String, _ arguments: [String], environment: [String], standardInput: Int32) {
    let words = ([executable] + arguments).map { strdup($0) }
    let variables = environment.map { strdup($0) }
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    // Libraries would print over the gallery, so the worker has no standard output.
    let error = start_program(&id, executable, words + [nil], variables + [nil], standardInput, -1, -1)
    self = error == 0 ? .running(id) : .failed(.noWorker(error))
  }

  /// Waits on a separate thread for a process that has been killed. It takes as long as the kernel needs to free its memory,
  /// or a hanging file system to answer it.
  static func reap(_ processID: pid_t, _ onEnd: @escaping @MainActor (_ status: Int32) -> Void) {
    detachThread {
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      DispatchQueue.main.async { [status] in MainActor.assumeIsolated { onEnd(status) } }
    }
  }

  /// Returns the fault that the status of an ended process means.
  static func fault(_ status: Int32) -> ImageFault {
    switch status & 0x7F {
    case SIGPROF: .timedOut
    case SIGALRM: .unresponsive
    default: .crashed
    }
  }

  /// Runs `body` on a new thread, which gets no signals: they are for the main thread.
  static func detachThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      body()
    }
  }

  /// The variables of the environment of a worker that starts now.
  ///
  /// Large blocks of memory have large pages (glibc manual, "Memory Allocation Tunables"). An image for kitty at 200x60 cells
  /// touches 30,000 pages otherwise, which is a fifth of its time.
  static var environment: [String] {
    var variables = ProcessInfo.processInfo.environment
    if variables["GLIBC_TUNABLES"] == nil { variables["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1" }
    return variables.map { "\($0)=\($1)" }
  }
}
