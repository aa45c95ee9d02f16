import ArgumentParser
import Foundation
import Gallery

/// The options for servers that require a header or a token.
struct WebOptions: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "Send this header to the server of the address. Can be repeated.", valueName: "name: value"))
  var headers: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send the first line of this file as a bearer token. Only you may be able to read the file.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Send the first line that this command prints as a token, as with --token-file. (default for photo servers: $TINTYPE_TOKEN)",
      valueName: "command"))
  var tokenCommand: String?

  /// The place of the token that an option names, or nil.
  var token: TokenSource? { tokenFile.map { .file($0) } ?? tokenCommand.map { .command($0) } }

  /// Whether one of the options is given.
  var isUsed: Bool { !headers.isEmpty || token != nil }

  func validate() throws {
    if tokenFile != nil, tokenCommand != nil {
      throw ValidationError("--token-file and --token-command can't be combined. Leave one out.")
    }
    let names = try headers.map { try Self.field($0).name.lowercased() } + (token == nil ? [] : ["authorization"])
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ValidationError("The header \(twice) is given twice. Leave one out.")
    }
  }

  /// Returns the header fields of ``headers``, by name.
  func fields() throws -> [String: String] { Dictionary(uniqueKeysWithValues: try headers.map(Self.field)) }

  /// Checks an address that is given as the source.
  /// - Throws: `ValidationError` if the address is invalid.
  static func check(address: String) throws {
    guard let url = URL(string: address), let host = url.host, !host.isEmpty,
      ["http", "https"].contains(url.scheme?.lowercased())
    else {
      throw ValidationError("“\(address.printable)” is not a valid address. Use one like https://example.org/photos.")
    }
    if url.user != nil || url.password != nil {
      throw ValidationError(
        "The address has a name or password in it, which others could see. Remove it, and use --token-file.")
    }
  }

  /// Returns the parts of a header field (RFC 9110, section 5). Error texts leave the value out, since it may be secret.
  private static func field(_ text: String) throws -> (name: String, value: String) {
    guard let colon = text.firstIndex(of: ":") else { throw ValidationError("--header takes 'Name: value'.") }
    let name = String(text[..<colon])
    let marks = Set("!#$%&'*+-.^_`|~")
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) }) else {
      throw ValidationError("--header takes 'Name: value'; “\(name.printable)” is not a valid header name.")
    }
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .init(charactersIn: " \t"))
    guard TokenSource.isSendable(value) else {
      throw ValidationError("The value of the header \(name) has characters that cannot be sent, such as a line break.")
    }
    return (name, value)
  }
}
