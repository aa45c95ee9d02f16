/// The rights that the kernel has taken from this process.
struct Confinement {
  /// The version of Landlock's ABI; 0 if the kernel has no Landlock.
  let landlockVersion: Int
  /// Whether a filter of system calls is in force.
  let hasSeccomp: Bool

  /// The words of `tintype doctor`.
  var summary: String {
    switch (landlockVersion > 0, hasSeccomp) {
    case (true, true): "by Landlock \(landlockVersion) and seccomp: a decoder reaches no file, network or program"
    case (true, false): "by Landlock \(landlockVersion) alone: a decoder reaches no file, but the kernel has no seccomp"
    case (false, true): "by seccomp alone: a decoder can read your files, since the kernel has no Landlock"
    case (false, false): "only in memory and time, since the kernel has neither Landlock nor seccomp"
    }
  }
}
