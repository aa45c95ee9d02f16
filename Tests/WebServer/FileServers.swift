import Foundation

/// A server that keeps the files of a folder, which runs as long as this object.
public final class FileServerProcess: Sendable {
  /// The program that serves.
  public enum Kind: CaseIterable, Sendable {
    /// `rclone serve webdav`, which asks for the password by the basic scheme, and ignores conditions.
    case rclone
    /// Apache with mod_dav, which asks for the password by the digest scheme.
    case apache
    /// The S3 server of `tools/fake_s3.py`, which checks signatures.
    case s3
  }

  public let kind: Kind
  private let process: ServerProcess
  private let talk: ServerTalk

  public static let (user, password) = ("ana", "secret")
  /// The folder of the files is a bucket of this name.
  public static let bucket = "photos"

  /// Starts a server.
  /// - Parameters:
  ///   - files: The folder of the files, whose last component is ``bucket``.
  ///   - page: The number of files on each page of a list of S3.
  public init(_ kind: Kind, files: String, page: Int = 1000) throws {
    self.kind = kind
    talk = try ServerTalk()
    switch kind {
    case .rclone:
      process = try ServerProcess(
        "/usr/bin/rclone",
        [
          "serve", "webdav", files, "--addr", "127.0.0.1:0", "--user", Self.user, "--pass", Self.password, "--config",
          "/dev/null", "--dir-cache-time", "0",
        ], printsErrors: true)
    case .apache: process = try Self.apache(files, talk.folder)
    case .s3:
      process = try ServerProcess(
        "/usr/bin/python3",
        [
          ServerTalk.tool("fake_s3.py"), URL(filePath: files).deletingLastPathComponent().path, "--key",
          "\(Self.user):\(Self.password)", "--page", "\(page)", "--talk", talk.folder.path,
        ])
    }
  }

  /// The address of the files for the program.
  public var address: String {
    kind == .s3
      ? "s3://\(Self.bucket)" : "dav://\(Self.user)@" + process.address.dropFirst("http://".count)
  }

  /// The variables of the environment with which the program gets in; nil for those of WebDAV, where the user names a file.
  public var environment: [String: String] {
    guard kind == .s3 else { return ["TINTYPE_TOKEN": Self.password] }
    return [
      "AWS_ENDPOINT_URL": process.address, "AWS_ACCESS_KEY_ID": Self.user, "AWS_SECRET_ACCESS_KEY": Self.password,
      "AWS_REGION": "eu-west-1",
    ]
  }

  /// The requests to S3 in their order.
  public var requests: [ServerRequest] { get throws { try talk.requests } }

  /// Lets all further requests to S3 fail with a status, or none with 0.
  public func fail(_ status: Int) throws { try talk.fail(status) }

  /// Ends the server.
  public func stop() { process.stop() }

  /// Starts Apache at a port that was free a moment ago.
  private static func apache(_ files: String, _ folder: URL) throws -> ServerProcess {
    let modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "authn_file", "auth_digest", "dav", "dav_fs"]
    let port = try LoopbackPort.free()
    let lines =
      modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" } + [
        "ServerName 127.0.0.1", "Listen 127.0.0.1:\(port)", "PidFile \(folder.path)/pid",
        "ErrorLog \(folder.path)/errors", "DocumentRoot \"\(files)\"", "DavLockDB \"\(folder.path)/locks\"",
        "Mutex file:\(folder.path)", "DefaultRuntimeDir \(folder.path)",
        // Apache does not serve as root.
        geteuid() == 0 ? "User nobody\nGroup nogroup" : "",
        "<Directory \"\(files)\">\nDav On\nAuthType Digest\nAuthName photos\nAuthUserFile \"\(folder.path)/users\"",
        "Require valid-user\n</Directory>",
      ]
    // The hash is the MD5 of "ana:photos:secret".
    try Data("ana:photos:54f5b23f9140afacd23f49862b945ce9\n".utf8).write(to: folder.appending(path: "users"))
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "configuration"))
    if geteuid() == 0 {
      for place in [folder.path, files] { _ = try? shell("chmod -R a+rwX '\(place)'") }
    }
    return try ServerProcess(
      "/usr/sbin/apache2", ["-f", "\(folder.path)/configuration", "-DFOREGROUND"], listeningAt: port)
  }

  private static func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    process.waitUntilExit()
  }
}
