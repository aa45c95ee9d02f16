import ArgumentParser
import Configuration
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

  /// Whether one of the options is given.
  var isUsed: Bool { !headers.isEmpty || tokenFile != nil }

  func validate() throws {
    let names = try headers.map { try Self.field($0).name.lowercased() } + (tokenFile == nil ? [] : ["authorization"])
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ValidationError("The header \(twice) is given twice. Leave one out.")
    }
  }

  /// Returns the header fields to send, by name. Reads the token from its file.
  func fields() throws -> [String: String] {
    var fields = Dictionary(uniqueKeysWithValues: try headers.map(Self.field))
    if let tokenFile { fields["Authorization"] = "Bearer " + (try TokenFile.read(tokenFile)) }
    return fields
  }

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
    guard isSendable(value) else {
      throw ValidationError("The value of the header \(name) has characters that cannot be sent, such as a line break.")
    }
    return (name, value)
  }

  /// Returns whether a field's value consists of characters that may be sent.
  static func isSendable(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

extension NamedSource {
  /// Returns the header fields to send. Reads the token from its file.
  /// - Throws: `ValidationError` if the file has no valid token.
  func fields() throws -> [String: String] {
    try tokenFile.map { ["Authorization": "Bearer " + (try TokenFile.read($0))] } ?? [:]
  }
}

/// A file with a token in its first line. No error text contains any of it.
private enum TokenFile {
  private static let longest = 1 << 16

  static func read(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ValidationError("\(path.printable) cannot be opened (\(String(cString: strerror(errno)))).")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw ValidationError("\(path.printable) is not a file.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ValidationError(
        "Others may read the token in \(path.printable). Run chmod 600 on it, then start again.")
    }
    let line = (try file.read(upToCount: longest) ?? Data()).prefix { $0 != UInt8(ascii: "\n") }
    let token = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty, WebOptions.isSendable(token) else {
      throw ValidationError(
        "The first line of \(path.printable) is not a valid token. Write the token there, and nothing else.")
    }
    return token
  }
}
