import Gallery

/// The starts of the processes of some workers, which are limited while the processes end at once.
///
/// A process can end before it has read a request, such as if a library is missing, or if the user has too many processes. The
/// next one, for another photo, would do the same.
@MainActor
final class WorkerStarts {
  /// The number of processes in a row that could not be started, or have ended before they had read a request.
  private var failures = 0
  private var last: (fault: ImageFault, at: ContinuousClock.Instant)?
  private let now: () -> ContinuousClock.Instant

  /// The number of such processes after which there is a pause. The first one may have had another reason.
  private static let mostFailures = 2
  /// The time from the end of such a process to the start of the next one.
  static let pause = Duration.seconds(1)

  init(now: @escaping () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// The reason why no process is started now; nil if one may be.
  var refusal: ImageFault? {
    guard let last, failures >= Self.mostFailures, now() - last.at < Self.pause else { return nil }
    return last.fault
  }

  /// Takes note of a process that could not be started, or has ended at once.
  func fail(_ fault: ImageFault) {
    failures += 1
    last = (fault, now())
  }

  /// Takes note of a process that answers.
  func succeed() { failures = 0 }
}
