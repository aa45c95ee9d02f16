import Foundation
import Gallery
import Services
import Store

/// An operation on one photo, such as a change of its sidecar, as a value that the journal stores.
///
/// An operation is planned, which yields the operation that takes it back, and written after both are in the journal. The
/// machinery calls nothing else, so another operation is a type that adopts this protocol, and its lines in `Operations`.
protocol StepOperation: Codable, Sendable {
  /// Whether photos show the effect of an operation that waits. If not, it is not planned to find that out.
  static var hasEffect: Bool { get }

  /// Creates an operation from a journal. Returns nil if the data are those of another operation.
  init?(journal data: Data)

  /// The operation for a journal.
  var data: Data { get }

  /// Returns the operation with the places of the folders that the user has chosen, as far as it has to find them again. Another folder
  /// may have taken the path of one until the operation is planned.
  func located(for photo: ImageLocation) -> Self

  /// Finds out what the operation would do, and writes nothing.
  ///
  /// - Parameter expected: The effect of the earlier parts that wait for the photo, or nil if none waits.
  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan

  /// Returns the folder that has to be there before anything can be done, or nil if none has to.
  func place(of photo: ImageLocation) -> FilePath?

  /// Returns the paths of the files that the operation changes or reads, but for sidecars.
  func paths(of photo: ImageLocation) -> [FilePath]

  /// Returns those of the paths that later operations have to wait for.
  func heldPaths(of photo: ImageLocation) -> [FilePath]

  /// Whether the operation rates the photo and does nothing else.
  var isRating: Bool { get }

  /// Whether a part of the operation has been made, as by an attempt that could not be taken back.
  var isBegun: Bool { get }

  /// Whether it has been made for some of the files and not yet for others.
  var isSplit: Bool { get }

  /// The files that have other paths when the operation is made, in the order in which they get them. One in the trash keeps its
  /// path, since it may come back.
  var movedFiles: [MovedFile] { get }

  /// Returns what a photo shows now.
  /// - Parameter isMade: Whether the operation was made. If not, it was undone, or canceled before it was made.
  func effect(on photo: ImageLocation, isMade: Bool, _ tools: StepTools) -> Step.Effect
}

extension StepOperation {
  init?(journal data: Data) {
    guard let operation = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
    self = operation
  }

  static var hasEffect: Bool { true }

  func located(for _: ImageLocation) -> Self { self }

  func place(of photo: ImageLocation) -> FilePath? { photo.file?.folder }

  var isRating: Bool { false }

  var isBegun: Bool { false }

  var isSplit: Bool { false }

  var movedFiles: [MovedFile] { [] }

  func paths(of photo: ImageLocation) -> [FilePath] { [photo.file].compactMap(\.self) }

  func heldPaths(of photo: ImageLocation) -> [FilePath] { paths(of: photo) }

  /// The operation for a journal.
  var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }

  func effect(on photo: ImageLocation, isMade: Bool, _ tools: StepTools) -> Step.Effect { Step.Effect() }
}

/// The plan of an operation.
struct StepPlan: Sendable {
  /// The operation as the journal keeps it from now on. Made twice, it changes no more than once, as after a crash between
  /// writing and noting that.
  let operation: any StepOperation
  /// The operation that takes this one back, or nil if there is nothing to change.
  let inverse: (any StepOperation)?
  /// The effect, whether the plan is written or not.
  let effect: Step.Effect
  /// The files that the plan creates, so that no other plan may be made for their paths before this one is written.
  var claims: [FilePath] = []
  /// The size of the files that the plan copies, in bytes.
  var copiedSize: Int64 = 0
  /// The number of such plans that are best written at once.
  var atOnce = 1
  /// The fault that is reported if another program changes the file during each attempt to write it.
  let busy: StepFault
  /// Writes the plan.
  let write: @Sendable () async throws(OperationFault) -> StepWriting
}

/// What came of an attempt to write a plan.
enum StepWriting {
  /// Another program has changed the file since, so that the operation must be planned again.
  case outdated
  /// The plan is written.
  ///
  /// - imported: The contents that were imported; none if that was undone, and nil for an operation that imports nothing.
  /// - shortfall: The reason why something of the plan is missing, or nil.
  case written(imported: [ImportedContent]? = nil, shortfall: StepFault? = nil)
}

/// A reason why an operation could not be planned or written.
enum OperationFault: Error {
  /// The photo is no longer there.
  case missing
  /// The operation may succeed later, so its part waits.
  case failed(StepFault)
  /// The disk prevents the operation for now. If it undoes something, its part waits; otherwise it is given up.
  case prevented(StepFault)
  /// The operation is given up.
  case impossible(StepFault)
  /// The user has stopped the operation, so its part waits.
  case stopped
}
