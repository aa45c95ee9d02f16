import Foundation
import Gallery
import Services

/// The table of the operations. A new one gets a line in each part of this file.
enum Operations {
  private static let all: [any StepOperation.Type] = [
    FileOperation.self, ExportOperation.self, SheetOperation.self, ServerOperation.self,
    DownloadOperation.self, CollectionOperation.self,
    // The first version kept the changes of sidecars alone, so this takes any object.
    SidecarOperation.self,
  ]

  /// Returns whether the operation in a journal has an effect that photos show before it is written.
  static func shows(_ data: Data) -> Bool { operation(data).map { type(of: $0).hasEffect } ?? true }

  /// Returns whether the operation in a journal rates a photo and does nothing else.
  static func rates(_ data: Data) -> Bool { operation(data)?.isRating ?? false }

  /// Returns the data of an operation of another machine with the places of its folders on this one.
  static func located(_ data: Data, for photo: ImageLocation) -> Data {
    operation(data)?.located(for: photo).data ?? data
  }

  /// Returns the operation that a journal contains, or nil if a newer version of the program has written it.
  static func operation(_ data: Data) -> (any StepOperation)? {
    for type in all { if let operation = type.init(journal: data) { return operation } }
    return nil
  }
}

extension StepRequest {
  /// The photos, and the operation on each as a journal has it. The folders may be another machine's.
  package var operations: [(photo: ImageLocation, redo: Data)] {
    targets.map { ($0.photo.image, $0.change.operation(on: $0).data) }
  }

  /// The photos, and the operation on each as the journal of the machine with their folders has it.
  var located: [(photo: ImageLocation, redo: Data)] {
    targets.map { ($0.photo.image, $0.change.operation(on: $0).located(for: $0.photo.image).data) }
  }
}

extension StepRequest.Change {
  /// Returns the operation that makes the change of a photo.
  func operation(on target: StepRequest.Target) -> any StepOperation {
    switch self {
    case .decision(let change):
      if case .web = target.photo.image {
        ServerOperation(change, of: target)
      } else {
        SidecarOperation(change, of: target)
      }
    case .files(.copy(let folder, let isSkipping)) where target.photo.file == nil:
      DownloadOperation(target.photo, with: target.others, to: folder, isSkipping: isSkipping)
    case .files(let change): FileOperation(change, files: target.files)
    case .export(let export): ExportOperation(export)
    case .sheet(let sheet): SheetOperation(sheet)
    case .collection(let change): CollectionOperation(change)
    }
  }
}
