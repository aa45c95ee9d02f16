/// What an asynchronous call came to, its error's type kept.
func result<Value: Sendable, Failure: Error>(
  _ body: @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  do throws(Failure) {
    return .success(try await body())
  } catch {
    return .failure(error)
  }
}
