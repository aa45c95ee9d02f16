import Foundation

/// A web server with a certificate that it signed itself.
final class SecureServer {
  let address: String
  let certificate: String
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let process = Process()

  /// A key that is strong enough for every library.
  static let key = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

  /// Creates a server.
  /// - Parameters:
  ///   - years: The first year in which the certificate is valid, and the first one in which it is no longer.
  ///   - key: The kind of its key, as OpenSSL takes it.
  ///   - isSigned: Whether an authority has signed the certificate, which is then in the file instead of it.
  ///   - options: Further options of `openssl s_server`.
  ///   - answer: The answer to `/answer`, or nil for a page about the connection.
  init(
    name: String, years: ClosedRange<Int> = 2020...2049, key: [String] = key, isSigned: Bool = false,
    options: [String] = [], answer: String? = nil
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (folder, own, keyFile) = (
      folder, folder.appending(path: "own.pem").path, folder.appending(path: "key.pem").path
    )
    func openssl(_ arguments: [String]) async throws {
      try await run("/usr/bin/openssl", arguments)
    }
    let authority = folder.appending(path: "authority.pem").path
    let authorityKey = folder.appending(path: "authority-key.pem").path
    certificate = isSigned ? authority : own
    let request = folder.appending(path: "request.pem").path
    let settings = """
      [ca]
      default_ca = authority
      [authority]
      database = \(folder.path)/database
      serial = \(folder.path)/serial
      new_certs_dir = \(folder.path)
      default_md = sha256
      policy = policy
      x509_extensions = names
      [policy]
      commonName = supplied
      [names]
      subjectAltName = \(name)
      """
    for (file, text) in [("settings", settings), ("database", ""), ("serial", "01\n")] {
      try Data(text.utf8).write(to: folder.appending(path: file))
    }
    try await openssl(
      ["req", "-new", "-newkey"] + key + ["-nodes", "-subj", "/CN=test", "-keyout", keyFile, "-out", request])
    if isSigned {
      try await openssl(
        ["req", "-x509", "-newkey"] + Self.key
          + ["-nodes", "-subj", "/CN=authority", "-keyout", authorityKey, "-out", authority])
    }
    let signer =
      isSigned ? ["-cert", authority, "-keyfile", authorityKey] : ["-selfsign", "-keyfile", keyFile]
    try await openssl(
      ["ca", "-batch", "-notext", "-config", folder.appending(path: "settings").path, "-in", request, "-out", own]
        + ["-startdate", "\(years.lowerBound)0101000000Z", "-enddate", "\(years.upperBound)0101000000Z"] + signer)
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    if let answer { try Data(answer.utf8).write(to: folder.appending(path: "answer")) }
    process.currentDirectoryURL = folder
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", answer == nil ? "-www" : "-HTTP", "-cert", own, "-key", keyFile]
      + options
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints "ACCEPT 127.0.0.1:port" when it listens.
    var said = ""
    while !said.contains("ACCEPT ") || !said.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw POSIXError(.EPIPE) }
      said += String(decoding: data, as: UTF8.self)
    }
    let port = said.split(separator: "ACCEPT ").last?.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    address = "https://127.0.0.1:\(port)/"
  }

  deinit {
    // A process inherits the signals that its thread blocks, so that SIGTERM may not end it.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }
}
