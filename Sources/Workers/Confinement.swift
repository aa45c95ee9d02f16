/// The rights that the kernel has taken from this process.
public struct Confinement {
  /// The version of Landlock's ABI; 0 if the kernel has no Landlock.
  let landlockVersion: Int
  /// Whether a filter of system calls is in force.
  let hasSeccomp: Bool
  /// Whether the process is in a user namespace of its own.
  public var hasNamespace = false

  /// The words of `tintype doctor`.
  public var summary: String {
    let landlock = "Landlock \(landlockVersion)"
    let place = hasNamespace ? ", in a user namespace" : ""
    return switch (landlockVersion > 0, hasSeccomp) {
    case (true, true): "by \(landlock) and seccomp\(place): decoders can't access files, the network or other programs"
    case (true, false): "by \(landlock)\(place): decoders can't access files, but the kernel has no seccomp"
    case (false, true): "by seccomp\(place): decoders can read your files, since the kernel has no Landlock"
    case (false, false): "only in memory and time\(place), since the kernel has neither Landlock nor seccomp"
    }
  }
}
