/// Returns what an asynchronous call returned or threw, and keeps the type of the error.
package func result<Value: Sendable, Failure: Error>(
  _ body: @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  do throws(Failure) {
    return .success(try await body())
  } catch {
    return .failure(error)
  }
}
