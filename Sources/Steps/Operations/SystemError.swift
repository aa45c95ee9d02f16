#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The number of an error of the system (errno).
struct SystemError: Error, Equatable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  var reason: String { String(cString: strerror(number)) }
}
