import Gallery
import Services

/// A change of a collection. Its part is that of its first photo, whose file need not be there.
struct CollectionOperation: Hashable, StepOperation {
  /// The change. The journal identifies the kind of an operation by the name of this member.
  private let collection: CollectionChange

  static var hasEffect: Bool { false }

  init(_ change: CollectionChange) { collection = change }

  func place(of _: ImageLocation) -> FilePath? { nil }

  func paths(of _: ImageLocation) -> [FilePath] { [] }

  func plan(
    for _: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    let inverse = CollectionOperation(CollectionChange(collection.inverse, inverse: collection.edit))
    return StepPlan(
      operation: self, inverse: inverse, effect: expected ?? Step.Effect(),
      busy: Self.fault(localized("Another program keeps changing it."))
    ) { [edit = collection.edit] () async throws(OperationFault) in
      // A later session has the collections.
      guard let collections = tools.collections else { throw .stopped }
      do throws(APIError) {
        try await collections.make(edit)
        return .written()
      } catch {
        throw .failed(Self.fault(error.message))
      }
    }
  }

  private static func fault(_ message: String) -> StepFault {
    StepFault(title: localized("Can't change the collection"), message: message)
  }
}
