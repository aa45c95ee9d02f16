import CCurl

/// libcurl's functions. Nobody comes here where it is missing: ``HTTPClient`` looks first.
/// Unsafe to the compiler, since it is made of C's pointers: they are looked up once and never change.
nonisolated(unsafe) let curl: CCurlTable = {
  guard let table = ccurl_table() else { preconditionFailure("libcurl is not there") }
  return table.pointee
}()
