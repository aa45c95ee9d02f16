import Gallery

/// The progress of a view model's last fetch.
public enum FetchState: Hashable, Sendable {
  case idle, loading, loaded
  case failed(APIError)
}
