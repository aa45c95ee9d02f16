import CCurl

/// libcurl's functions. Nobody comes here where it is missing: ``HTTPClient`` looks first.
nonisolated(unsafe) let curl: CCurlTable = {
  guard let table = ccurl_table() else { preconditionFailure("libcurl is not there") }
  return table.pointee
}()
