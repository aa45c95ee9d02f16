import CSystem
import Foundation
import Gallery
import Store
import Synchronization

/// A lock on steps that are being written. While one copy of the program has it, no other one takes a step for one that a crash has
/// interrupted. The system releases the lock when the program ends in any way.
final class StepLock: Sendable {
  /// The steps that are locked.
  let steps: Set<StepJournal.Step.ID>
  /// One descriptor for all, since thousands of steps can wait for a disk.
  private let descriptor: Atomic<Int32>

  /// Locks the steps of a journal that are not being written already.
  init(_ steps: Set<StepJournal.Step.ID>, of journal: StepJournal) {
    guard let folder = journal.folder else {
      self.steps = steps
      descriptor = Atomic(-1)
      return
    }
    let descriptor = FilePath("\(folder)/journal.lock").withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    // Without a file that can be written, such as on a full disk, nothing is written to the journal either.
    self.steps = steps.filter { step in
      descriptor < 0 || lock_byte(descriptor, off_t(step)) == 0 || (errno != EAGAIN && errno != EACCES)
    }
    self.descriptor = Atomic(descriptor)
  }

  /// Locks a step of a journal. Returns nil if the step is being written already.
  convenience init?(_ step: StepJournal.Step.ID, of journal: StepJournal) {
    self.init([step], of: journal)
    if steps.isEmpty { return nil }
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

  /// Releases the lock of one step. The others stay locked.
  func release(_ step: StepJournal.Step.ID) {
    let descriptor = descriptor.load(ordering: .relaxed)
    if descriptor >= 0 { unlock_byte(descriptor, off_t(step)) }
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
