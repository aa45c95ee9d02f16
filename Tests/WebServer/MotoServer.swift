import Foundation

/// The S3 server moto with the files of a folder, which runs as long as this object. It follows Amazon's specification independently of
/// `tools/fake_s3.py`, but checks no signatures.
public final class MotoServer: Sendable {
  private static let python = ServerTalk.tool("../.build/moto/bin/python")
  private let process: ServerProcess

  /// Whether `make test-packages` could install it.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  /// Starts a server.
  /// - Parameter files: The folder of the files, which is a bucket.
  public init(files: String) throws {
    process = try ServerProcess(
      Self.python, [ServerTalk.tool("moto_s3.py"), URL(filePath: files).deletingLastPathComponent().path])
  }

  /// The variables of the environment by which the program finds the server.
  public var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": process.address, "AWS_ACCESS_KEY_ID": "ana", "AWS_SECRET_ACCESS_KEY": "secret",
      "AWS_REGION": "eu-west-1",
    ]
  }

  /// Returns what Amazon's own client reads from an object, or nil if there is none.
  public func contents(_ key: String, of bucket: String) throws -> String? {
    let output = Pipe()
    let client = Process()
    client.executableURL = URL(filePath: Self.python)
    client.arguments = [ServerTalk.tool("moto_s3.py"), process.address, bucket, key]
    client.standardOutput = output
    client.standardError = FileHandle.nullDevice
    try client.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    client.waitUntilExit()
    return client.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
