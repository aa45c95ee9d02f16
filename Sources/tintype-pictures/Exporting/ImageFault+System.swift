import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ImageFault {
  /// The fault of a new file that can't be written because of the system's last error.
  static var unwritable: ImageFault { .notExported(.unwritable(reason: String(cString: strerror(errno)))) }
}
