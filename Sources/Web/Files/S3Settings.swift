import Foundation
import HTTP

/// The settings for S3, from the variables of the environment and the files that the AWS command line uses (AWS SDKs and Tools
/// Reference Guide, "Configuration and credential file settings").
public struct S3Settings: Sendable {
  /// The address of a server that is not Amazon's; nil for that one.
  public let endpoint: String?
  /// The region, which is a part of the signature.
  public let region: String
  private let keyID: String?
  private let secret: String?
  private let sessionToken: String?

  /// Reads the settings.
  /// - Parameter environment: The variables of the environment. `HOME` leads to the files.
  public init(environment: [String: String]) {
    func variable(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    let home = environment["HOME"] ?? "/"
    let profile = variable("AWS_PROFILE") ?? "default"
    let credentials = Self.section(
      profile, of: variable("AWS_SHARED_CREDENTIALS_FILE") ?? home + "/.aws/credentials")
    let settings = Self.section(
      profile == "default" ? profile : "profile \(profile)", of: variable("AWS_CONFIG_FILE") ?? home + "/.aws/config")
    func setting(_ name: String) -> String? { credentials[name] ?? settings[name] }
    endpoint =
      (variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? settings["endpoint_url"])
      .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? setting("region") ?? "us-east-1"
    // The variables belong together, as the lines of a file do.
    let isInEnvironment = variable("AWS_ACCESS_KEY_ID") != nil
    keyID = variable("AWS_ACCESS_KEY_ID") ?? setting("aws_access_key_id")
    secret = isInEnvironment ? variable("AWS_SECRET_ACCESS_KEY") : setting("aws_secret_access_key")
    sessionToken = isInEnvironment ? variable("AWS_SESSION_TOKEN") : setting("aws_session_token")
  }

  /// Returns the lines `name = value` of a section of a file, which may not exist.
  private static func section(_ name: String, of path: String) -> [String: String] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
    var (values, isInside): ([String: String], Bool) = ([:], false)
    for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        isInside = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces) == name
      } else if isInside, let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
        let key = line[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
        values[key] = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return values
  }

  /// The web address of a bucket. Amazon has a host for each; other servers have all on one.
  func address(ofBucket name: String) -> String {
    endpoint.map { "\($0)/\(name)" } ?? "https://\(name).s3.\(region).amazonaws.com"
  }

  /// The signature of requests; nil if there is no key, as for a public bucket.
  var authorization: HTTPAuthorization? {
    keyID.flatMap { id in secret.map { .signature(keyID: id, secret: $0, region: region) } }
  }

  /// The headers of all requests. The body of a request is not a part of its signature, as Amazon allows.
  var headers: [String: String] {
    guard authorization != nil else { return [:] }
    var headers = ["x-amz-content-sha256": "UNSIGNED-PAYLOAD"]
    headers["x-amz-security-token"] = sessionToken
    return headers
  }
}
