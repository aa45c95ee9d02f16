import Foundation
import Gallery
import Store

@testable import Sidecars
@testable import Steps

/// The promises of the rows of the journal, which a disk can damage and a newer version can write.
///
/// A row is an operation or is left alone, and an operation is written as it was read.
struct JournalPromises {
  private let photo: ImageLocation
  private let data: Data

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    photo = ImageLocation(bytes: choices.bytes())
    data = Data(choices.rest)
  }

  func check() throws {
    _ = Operations.shows(data)
    guard let operation = Operations.operation(data) else { return }
    _ = operation.place(of: photo)
    _ = operation.paths(of: photo)
    _ = operation.movedFiles
    let written = operation.data
    guard let again = Operations.operation(written) else {
      throw BrokenPromise(description: "an operation that was written can be read")
    }
    try promise(type(of: again) == type(of: operation), "an operation stays of its kind")
    // The order of an object's members is any.
    try promise(again.data.count == written.count, "an operation is written as it was read")
    if case .exact(let change, _, _)? = operation as? SidecarOperation { try check(change) }
  }

  /// Checks that what a damaged row writes into a sidecar is XMP.
  private func check(_ change: SidecarChange) throws {
    var editor = XMPEditor(.empty)
    editor.apply(change)
    guard let (new, _) = try? editor.finish(date: "2026-11-29T12:00:00+01:00") else { return }
    _ = new.decisions
  }
}
