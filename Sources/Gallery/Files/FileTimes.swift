#if canImport(Glibc)
  public import Glibc
#else
  public import Darwin

  // The names that POSIX and Linux have for the times of a file.
  extension stat {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The time of the last access.
    public var st_atim: timespec { st_atimespec }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The time of the last change of the content.
    public var st_mtim: timespec { st_mtimespec }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The time of the last change of the content, the name or the permissions.
    public var st_ctim: timespec { st_ctimespec }
  }
#endif

extension stat {
  /// The time of the last change of the content in nanoseconds since 1970. File systems also have times before 1678 and after 2261,
  /// which don't fit; they count as the first or the last one that does.
  public var modificationTime: Int {
    let (nanoseconds, isTooLarge) = Int(st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (time, isTooLate) = nanoseconds.addingReportingOverflow(Int(st_mtim.tv_nsec))
    return isTooLarge || isTooLate ? st_mtim.tv_sec < 0 ? .min : .max : time
  }
}
