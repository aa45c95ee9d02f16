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
  var onChange: (_ address: String) -> Void = { _ in }

  private let cache: WebImageCache
  private var states: [String: State] = [:]
  /// The images that are fetched again even if the cache has them.
  private var suspects: Set<String> = []
  /// The addresses that the server does not know. Of an image that has several versions, another one is fetched.
  private var missing: Set<String> = []

  /// The most images that are fetched at once. They share the line, so with more of them none would come soon.
  private static let atOnce = 4

  init(cache: WebImageCache) { self.cache = cache }

  isolated deinit { for case .underWay(let task) in states.values { task.cancel() } }

  /// The state of an image; nil if it has not been requested.
  subscript(address: String) -> State? { states[address] }

  /// Adds a server that the user has named.
  func add(_ server: NamedServer) { cache.add(server) }

  /// Returns the smaller versions of an image that may be there, smallest first.
  func smallerVersions(of image: String) -> [WebImageVersion] {
    cache.smallerVersions(of: image).filter { !missing.contains($0.address) }
  }

  /// Returns all addresses of an image, also those that the server does not know.
  func addresses(of image: String) -> [String] { cache.smallerVersions(of: image).map(\.address) + [image] }

  /// Fetches images, and stops fetching all others. The failures of others are forgotten, so they are retried when they are
  /// wanted again.
  /// - Parameter addresses: The addresses in the order in which they are needed.
  func want(_ addresses: [String]) {
    let wanted = Set(addresses)
    for (address, state) in states where !wanted.contains(address) {
      if case .underWay(let task) = state { task.cancel() }
      states[address] = nil
    }
    var free = Self.atOnce - states.values.count { if case .underWay = $0 { true } else { false } }
    for address in addresses where free > 0 && states[address] == nil {
      fetch(address)
      free -= 1
    }
  }

  /// Forgets all failures, so that images that are still wanted are fetched again with the next frame.
  ///
  /// - Parameter undecodable: The addresses of images that were fetched but could not be decoded. The file in the cache
  ///   may not be the image, so the server is asked again.
  func retry(undecodable: Set<String>) {
    suspects.formUnion(undecodable)
    missing = []
    for (address, state) in states {
      if case .failed = state { states[address] = nil }
      if case .ready = state, undecodable.contains(address) { states[address] = nil }
    }
  }

  private func fetch(_ address: String) {
    let isSuspect = suspects.contains(address)
    let task = Task.onMainActor { [weak self, cache] in
      let state: State
      do throws(APIError) {
        state = .ready(path: try await cache.file(for: address, isSuspect: isSuspect))
      } catch {
        state = .failed(error)
      }
      // A fetch that is stopped leaves the suspicion to the next one.
      guard !Task.isCancelled, let self else { return }
      if case .ready = state { suspects.remove(address) }
      if case .failed(.serverFault(_, .status(let status, _))) = state, [400, 404, 410].contains(status) {
        missing.insert(address)
      }
      states[address] = state
      onChange(address)
    }
    states[address] = .underWay(task)
  }
}
