import Sidecars

/// The services that operations use. Tests use substitutes.
struct StepTools: Sendable {
  var sidecars = Sidecars()
}
