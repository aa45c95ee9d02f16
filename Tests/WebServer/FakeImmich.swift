import Foundation

/// An Immich server of `tools/fake_immich.py`, which runs as long as this object.
public final class FakeImmich: Sendable {
  /// The key that the server expects.
  public static let key = "secret"
  private let process: ServerProcess
  private let talk: ServerTalk

  /// Starts a server.
  /// - Parameters:
  ///   - photos: The folder of the images.
  ///   - count: The number of assets; nil for one of each image.
  public init(photos: String, count: Int? = nil) throws {
    talk = try ServerTalk()
    process = try ServerProcess(
      "/usr/bin/python3",
      [ServerTalk.tool("fake_immich.py"), photos, "--key", Self.key, "--talk", talk.folder.path]
        + (count.map { ["--count", "\($0)"] } ?? []))
  }

  /// The address of the photos for the program.
  public var address: String { "immich+" + process.address }
  /// The folder in which the server notes the requests.
  public var folder: URL { talk.folder }
  /// The requests in their order.
  public var requests: [ServerRequest] { get throws { try talk.requests } }

  /// Lets all further requests fail with a status, or none with 0.
  public func fail(_ status: Int) throws { try talk.fail(status) }
}
