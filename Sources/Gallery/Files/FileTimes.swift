#if canImport(Darwin)
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
