import Gallery
import HTTP
import WorkerPool

/// The web images that the current frame wants, each fetched into a file of the cache.
@MainActor
final class WebImages {
  /// The state of an image.
  enum State {
    case underWay(Task<Void, Never>)
    case ready(path: String)
    case failed(APIError)
  }

  /// Called when the state of an image has changed.
  var onChange: (_ file: WebImageFile) -> Void = { _ in }

  private let cache: WebImageCache
  private var states: [WebImageFile: State] = [:]
  /// The images that are fetched again even if the cache has them.
  private var suspects: Set<WebImageFile> = []
  /// The versions that the server does not have. Another version of the image is fetched.
  private var missing: Set<WebImageFile> = []

  /// The most images that are fetched at once. They share the line, so with more of them none would come soon.
  private static let atOnce = 4

  init(cache: WebImageCache) { self.cache = cache }

  isolated deinit { for case .underWay(let task) in states.values { task.cancel() } }

  /// The state of an image; nil if it has not been requested.
  subscript(file: WebImageFile) -> State? { states[file] }

  /// Adds a server that the user has named.
  func add(_ server: NamedServer) { cache.add(server) }

  /// Returns the smaller versions of an image that may be there, smallest first.
  func smallerVersions(of image: String) -> [WebImageVersion] {
    cache.smallerVersions(of: image).filter { !missing.contains($0.file) }
  }

  /// Returns all files of an image, also those that the server does not have.
  func files(of image: String) -> [WebImageFile] {
    cache.smallerVersions(of: image).map(\.file) + [WebImageFile(image)]
  }

  /// Fetches images, and stops fetching all others. The failures of others are forgotten, so they are retried when they are
  /// wanted again.
  /// - Parameter files: The files in the order in which they are needed.
  func want(_ files: [WebImageFile]) {
    let wanted = Set(files)
    for (file, state) in states where !wanted.contains(file) {
      if case .underWay(let task) = state { task.cancel() }
      states[file] = nil
    }
    var free = Self.atOnce - states.values.count { if case .underWay = $0 { true } else { false } }
    for file in files where free > 0 && states[file] == nil {
      fetch(file)
      free -= 1
    }
  }

  /// Forgets all failures, so that images that are still wanted are fetched again with the next frame.
  ///
  /// - Parameter undecodable: The files that were fetched but could not be decoded. What is in the cache may not be the image, so the
  ///   server is asked again.
  func retry(undecodable: Set<WebImageFile>) {
    suspects.formUnion(undecodable)
    missing = []
    for (file, state) in states {
      if case .failed = state { states[file] = nil }
      if case .ready = state, undecodable.contains(file) { states[file] = nil }
    }
  }

  private func fetch(_ file: WebImageFile) {
    let isSuspect = suspects.contains(file)
    let task = Task.onMainActor { [weak self, cache] in
      let state: State
      do throws(APIError) {
        state = .ready(path: try await cache.file(for: file.address, prefix: file.prefix, isSuspect: isSuspect))
      } catch {
        state = .failed(error)
      }
      // A fetch that is stopped leaves the suspicion to the next one.
      guard !Task.isCancelled, let self else { return }
      if case .ready = state { suspects.remove(file) }
      if case .failed(let error) = state, error.saysMissing { missing.insert(file) }
      states[file] = state
      onChange(file)
    }
    states[file] = .underWay(task)
  }
}

extension APIError {
  /// Whether a server may have other versions of an image, but not this one. A site shows its own page instead of what it does not know.
  fileprivate var saysMissing: Bool {
    switch self {
    case .serverFault(_, .status(let status, _)): ![401, 429].contains(status) && !(502...599).contains(status)
    case .serverFault(_, .webPage): true
    default: false
    }
  }
}
