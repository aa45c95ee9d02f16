import CCurl

/// The functions of libcurl. ``HTTPClient`` checks that libcurl is installed before it uses them.
///
/// The table is unsafe to the compiler because it consists of C pointers. They are looked up once and never change.
nonisolated(unsafe) let curl: CCurlTable = {
  guard let table = ccurl_table() else { preconditionFailure("libcurl is not there") }
  return table.pointee
}()
