import Foundation
import Gallery
import Services
import Store
import Synchronization

extension StepService {
  public func keep(_ requests: [StepRequest]) async -> [Step] {
    await keep(located: await onPool { requests.map { (title: $0.title, operations: $0.located) } }, token: nil)
  }

  /// Keeps steps whose operations another machine has made.
  ///
  /// - Parameter token: What identifies the call if it is repeated; nil if it is not. A repeated call keeps nothing again.
  package func keep(
    _ steps: [(title: String, operations: [(photo: ImageLocation, redo: Data)])], token: String? = nil
  ) async -> [Step] {
    let located = await onPool {
      steps.map { step in
        (
          title: step.title,
          operations: step.operations.map { (photo: $0.photo, redo: Operations.located($0.redo, for: $0.photo)) }
        )
      }
    }
    return await keep(located: located, token: token)
  }

  private func keep(
    located steps: [(title: String, operations: [(photo: ImageLocation, redo: Data)])], token: String?
  ) async -> [Step] {
    let date = now()
    let entries = steps.map {
      StepJournal.Request(title: $0.title, date: date, session: session, operations: $0.operations)
    }
    let numbers = Mutex<Set<StepJournal.Step.ID>>([])
    do throws(APIError) {
      let ids = try await journal.keep(entries, token: token) { [unwritten] ids in
        unwritten.add(Set(ids))
        numbers.withLock { $0 = Set(ids) }
      }
      return zip(steps, ids).map { Step(title: $0.title, id: $1) }
    } catch {
      // The numbers will be those of other steps.
      unwritten.release(numbers.withLock(\.self))
      return steps.map { Step(title: $0.title, fault: Self.fault(error)) }
    }
  }

  private static func fault(_ error: APIError) -> StepFault {
    .journal(localized("The step can't be kept. \(error.message)"))
  }
}
