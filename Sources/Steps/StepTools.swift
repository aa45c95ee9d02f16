import Foundation
import Services
import Sidecars

/// The services that operations use. Tests use substitutes.
struct StepTools: Sendable {
  var sidecars = Sidecars()
  var trash = Trash.own
  /// Makes new files of photos; nil in an installation without pictures.
  var exporter: (any PhotoExporterProtocol)?
  /// Makes contact sheets; nil in an installation without pictures.
  var sheets: (any SheetMakerProtocol)?
  /// The server that has the photos of the open source; nil for another source.
  var server: (any PhotoServerProtocol)?
  /// The collections of photos; nil if there are none.
  var collections: (any CollectionServiceProtocol)?
  var now: @Sendable () -> Date = { .now }
  /// The work that gets the progress.
  var work = StepWork()
}
