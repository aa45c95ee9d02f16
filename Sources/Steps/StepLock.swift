import CSystem
import Foundation
import Gallery
import Store
import Synchronization

/// A lock on a step that is being written. While one copy of the program has it, no other one takes the step for one that a
/// crash has interrupted. The system releases the lock when the program ends in any way.
final class StepLock: Sendable {
  private let descriptor: Atomic<Int32>

  /// Locks a step of a journal. Returns nil if the step is being written already.
  init?(_ step: StepJournal.Step.ID, of journal: StepJournal) {
    guard let folder = journal.folder else {
      descriptor = Atomic(-1)
      return
    }
    let descriptor = FilePath("\(folder)/journal.lock").withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    // Without a file that can be written, such as on a full disk, nothing is written to the journal either.
    let isTaken =
      descriptor >= 0 && lock_byte(descriptor, off_t(step)) != 0 && (errno == EAGAIN || errno == EACCES)
    self.descriptor = Atomic(descriptor)
    if isTaken { return nil }
  }

  deinit { release() }

  /// Waits until no other copy of the program is writing a step. The thread that waits is asleep.
  static func wait(for step: StepJournal.Step.ID, of journal: StepJournal) async {
    guard let folder = journal.folder else { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        let descriptor = FilePath("\(folder)/journal.lock").withCString { open($0, O_RDWR | O_CLOEXEC) }
        if descriptor >= 0 {
          wait_for_byte(descriptor, off_t(step))
          close(descriptor)
        }
        continuation.resume()
      }
      thread.name = "step lock"
      thread.start()
    }
  }

  /// Releases the lock. The task that has made it may keep it for a moment longer.
  func release() {
    let descriptor = descriptor.exchange(-1, ordering: .relaxed)
    guard descriptor >= 0 else { return }
    // A worker that is being started has every file open until it executes its program.
    unlock_bytes(descriptor)
    close(descriptor)
  }
}
