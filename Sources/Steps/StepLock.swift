import CSystem
import Foundation
import Gallery
import Store
import Synchronization

/// A lock on steps that are being written. While one copy of the program has it, no other one takes a step for one that a crash has
/// interrupted. The system releases the lock when the program ends in any way.
final class StepLock: Sendable {
  /// The file of the locks, and the steps that are locked. One descriptor is for all, since thousands of steps can wait for a disk.
  private struct State {
    var descriptor: Int32 = -1
    var steps: Set<StepJournal.Step.ID> = []
  }

  private let journal: StepJournal
  private let state = Mutex(State())

  /// The steps that are locked.
  var steps: Set<StepJournal.Step.ID> { state.withLock(\.steps) }

  /// Creates a lock on the steps of a journal that are not being written already.
  init(_ steps: Set<StepJournal.Step.ID> = [], of journal: StepJournal) {
    self.journal = journal
    add(steps)
  }

  /// Locks a step of a journal. Returns nil if the step is being written already.
  convenience init?(_ step: StepJournal.Step.ID, of journal: StepJournal) {
    self.init([step], of: journal)
    if steps.isEmpty { return nil }
  }

  deinit { release() }

  /// Locks more steps, as far as they are not being written already.
  func add(_ steps: Set<StepJournal.Step.ID>) {
    if steps.isEmpty { return }
    state.withLock { state in
      if state.descriptor < 0, let folder = journal.folder {
        state.descriptor = FilePath("\(folder)/journal.lock").withCString {
          open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
      }
      // Without a file that can be written, such as on a full disk, nothing is written to the journal either.
      let descriptor = state.descriptor
      state.steps.formUnion(
        steps.filter { step in
          descriptor < 0 || lock_byte(descriptor, off_t(step)) == 0 || (errno != EAGAIN && errno != EACCES)
        })
    }
  }

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

  /// Releases the lock of some steps. The others stay locked.
  func release(_ steps: Set<StepJournal.Step.ID>) {
    state.withLock { state in
      for step in steps where state.steps.remove(step) != nil && state.descriptor >= 0 {
        unlock_byte(state.descriptor, off_t(step))
      }
    }
  }

  /// Releases the lock. The task that has made it may keep it for a moment longer.
  func release() {
    state.withLock { state in
      // A worker that is being started has every file open until it executes its program.
      if state.descriptor >= 0 {
        unlock_bytes(state.descriptor)
        close(state.descriptor)
      }
      state = State()
    }
  }
}
