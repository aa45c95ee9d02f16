import Sidecars

/// What the operations work with. Tests use substitutes.
struct StepTools: Sendable {
  var sidecars = Sidecars()
}
