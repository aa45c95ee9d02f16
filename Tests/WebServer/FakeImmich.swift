import Foundation

/// An Immich server of `tools/fake_immich.py`, which runs as long as this object.
public final class FakeImmich: Sendable {
  /// A request that the server has received.
  public struct Request: Decodable, Sendable {
    public let method: String
    public let path: String
    public let body: String
  }

  public struct NotStarted: Error {}

  /// The key that the server expects.
  public static let key = "secret"
  /// The address of the photos for the program.
  public let address: String
  private let process: Process
  /// The folder in which the server notes the requests.
  public let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  /// Starts a server.
  /// - Parameters:
  ///   - photos: The folder of the images.
  ///   - count: The number of assets; nil for one of each image.
  public init(photos: String, count: Int? = nil) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tools/fake_immich.py")
    process.arguments =
      [script.path, photos, "--key", Self.key, "--talk", folder.path] + (count.map { ["--count", "\($0)"] } ?? [])
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    // It complains about connections that end early.
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    let web = String(decoding: line, as: UTF8.self)
    guard web.hasPrefix("http://") else { throw NotStarted() }
    address = "immich+" + web
  }

  deinit {
    process.terminate()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The requests in their order.
  public var requests: [Request] {
    get throws {
      try Data(contentsOf: folder.appending(path: "log")).split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Request.self, from: $0)
      }
    }
  }

  /// Lets all further requests fail with a status, or none with 0.
  public func fail(_ status: Int) throws { try Data("\(status)".utf8).write(to: folder.appending(path: "failure")) }
}
