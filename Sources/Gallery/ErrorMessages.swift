// The words of errors on the screen. The errors are values; services throw them, and nothing below the screen chooses
// words. A `message` is one or several sentences, a `clause` is a part of one. Where the shell's words differ, they are
// in tintype/ShellErrorMessages.swift. What only one module knows has its words there: an invalid search
// (Finding/PhotoQuery.swift), a sidecar (Sidecars/SidecarFault.swift), and an invalid name in the guestbook (ViewModels/Guestbook/GuestName.swift).

// MARK: - Services

extension APIError {
  /// Printable sentences that say what happened and what the user can do. They name no key, since only the view that
  /// shows them knows it.
  public var message: String {
    switch self {
    case .noNetwork:
      "No Network. Check the connection."
    case .webUnavailable:
      "Can't load from the web: libcurl is missing. Install libcurl4."
    case .unreachable(let server, let fault):
      "Can't reach \(server.printable): \(fault.clause.printable)."
    case .serverOverload:
      "Server is overloaded. Try again in a moment."
    case .permissionDenied(let subject?, let reason):
      "You don't have permission to read \(subject.printable)\(Self.inBrackets(reason)). Ask its owner for access."
    case .permissionDenied(nil, let reason):
      "You don't have permission\(Self.inBrackets(reason)). Sign in or ask for access."
    case .notFound(let path):
      "There is no file at \(path.printable). Check the name."
    case .unreadableContent(let source, let fault):
      "\(source?.printable ?? "The standard input") cannot be read: \(fault.clause.printable)."
    case .serverFault(let server, let fault):
      "\(server.printable): \(fault.clause.printable)."
    case .untrustedServer(let server, let reason):
      "\(server.printable) cannot be trusted: \(reason.printable). Check the address and this machine's date."
    case .unsafeAddress(let address, let fault):
      "Blocked \(address.printable): \(fault.clause)."
    case .invalidHeader(let name):
      "The header \(name.printable) has characters that cannot be sent. Correct it, then start again."
    case .cannotWrite(let fault):
      "Can't save downloads: \(fault.clause.printable). Check the free space and the permissions there."
    case .cannotOpen(let fault):
      fault.message.printable
    case .commandFailed(let fault):
      fault.message
    case .cancelled:
      "Loading stopped."
    case .notKept(let path, let fault):
      "Can't save to \(path.printable): \(fault.clause.printable)."
    }
  }

  private static func inBrackets(_ reason: String?) -> String {
    reason.map { " (\($0.printable))" } ?? ""
  }
}

extension ConnectionFault {
  /// The fault as a clause without a subject, such as "connection refused".
  fileprivate var clause: String {
    switch self {
    case .refused: "connection refused"
    case .noRoute: "no route to the host"
    case .timedOut: "timed out"
    case .noNetwork: "no network"
    case .unknownName: "unknown host name, or no network"
    case .proxy(.unknownName): "the proxy fails (unknown name)"
    case .proxy(let fault): "the proxy fails (\(fault.clause))"
    case .system(let reason): reason
    case .unknown: "no connection"
    }
  }
}

extension APIError.ServerFault {
  fileprivate var clause: String {
    switch self {
    case .status(let status, let reason):
      [404, 410].contains(status)
        ? "page not found (\(Self.text(status, reason))); check the address"
        : "the server reports an error (\(Self.text(status, reason)))"
    case .interrupted(let reason): "the connection broke (\(reason))"
    case .tooSlow: "the answer is too slow"
    case .bodyTooLarge(let limit): "the answer is larger than \(Self.size(limit))"
    case .headersTooLarge(let limit): "the answer's headers are larger than \(Self.size(limit))"
    case .tooManyRedirects(let limit): "the server redirects more than \(limit) times"
    case .webPage(let wanted):
      "the answer is a web page, not \(wanted.noun); check the address, or log in to this network in a browser"
    case .unreadable(let fault): "the answer cannot be read: \(fault.clause)"
    }
  }

  private static func text(_ status: Int, _ reason: String?) -> String {
    "\(status)" + (reason.map { ": \($0)" } ?? "")
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MB" : bytes >= 1 << 10 ? "\(bytes >> 10) KB" : "\(bytes) bytes"
  }
}

extension APIError.Answer {
  fileprivate var noun: String {
    switch self {
    case .catalog: "a catalog"
    case .image: "an image"
    case .searchResults: "search results"
    }
  }
}

extension APIError.AddressFault {
  fileprivate var clause: String {
    switch self {
    case .notHTTP: "this is not an http or https address"
    case .invalid: "it cannot be read"
    case .forbiddenRedirect: "a redirect must not lead there"
    case .privateNetwork: "the address is on a private network, and you didn't enter it yourself"
    }
  }
}

extension APIError.OpeningFault {
  fileprivate var message: String {
    switch self {
    case .noProgram: "There is no default program for this file. Set one, or copy its path."
    case .openerMissing: "xdg-open is not installed. Install xdg-utils."
    case .openerFailed(let reason): "xdg-open: \(reason)."
    }
  }
}

// MARK: - Sources

extension ContentFault {
  fileprivate var clause: String {
    switch self {
    case .folder: "it is a folder"
    case .notAFile: "it is not a regular file"
    case .notNamedAsPhoto: "its name doesn't end like that of a photo, such as .jpg"
    case .readingFailed(let path, let reason): "reading \(path) failed (\(reason))"
    case .system(let reason): reason
    case .utf16: "it is written in UTF-16; save it as UTF-8"
    case .syntax(let line, let column, let fault): "line \(line), column \(column): \(fault.clause)"
    case .value("", let fault): fault.clause(about: "it")
    case .value(let path, let fault): fault.clause(about: path)
    case .problem(let problem): problem.message
    }
  }
}

extension CatalogProblem {
  /// The place and the reason in one line. They can quote the source and are not printable yet.
  public var message: String {
    switch place {
    case .text(let line, let column, let row):
      "line \(line), column \(column)\(row.map { " (photo \($0))" } ?? ""): \(reason)"
    case .file(let name): "\(name): \(reason)"
    case .folder: reason
    case .page(let number): "page \(number): \(reason)"
    }
  }

  /// The reason without the place. It can quote the source and is not printable yet.
  public var reason: String {
    switch fault {
    case .syntax(let fault): fault.clause
    case .value(let name, let fault): fault.clause(about: name)
    case .duplicate(let name): "\(name) is repeated; the last one wins"
    case .duplicateID(let id): "an earlier photo has the same id, \(id)"
    case .notAnObject: "the photo is not an object"
    case .missingImage(let address): "image_url names a missing file: “\(address)”"
    case .incompletePlace: "latitude and longitude must both be given"
    case .pathTooLong: "the path is too long"
    case .noFile(let path): "there is no file at \(path)"
    case .reading(let fault): fault.clause
    case .nextPage(let address):
      "the next page is not opened: \(address) is not an http or https address, or leads from https to http"
    case .photo(let fault): fault.message
    case .cutOff: "The file is incomplete: cut off, or still being copied."
    case .source(let error): error.message
    case .text(let problem): problem.message
    }
  }
}

extension SyntaxFault {
  fileprivate var clause: String {
    switch self {
    case .ends(let expected): "expected \(expected.noun), but the text ends"
    case .unexpected(let byte?, let expected):
      "expected \(expected.noun), got “\(Character(Unicode.Scalar(byte)))”"
    case .unexpected(nil, let expected): "expected \(expected.noun), got another character"
    case .unendedString: "the string that starts here has no closing quote"
    case .controlCharacter: "a string contains a control character"
    case .notUTF8: "this is not UTF-8"
    case .unknownEscape: "unknown escape sequence"
    case .incompleteEscape: "\\u needs four hexadecimal digits"
    case .unpairedSurrogate: "half of a surrogate pair"
    case .tooDeep: "nested too deeply"
    case .leadingZero: "a number starts with 0"
    case .notANumber: "invalid number"
    case .tooLong(let limit): "this is longer than \(limit) bytes"
    case .webPage: "this is a web page or XML, not a catalog"
    case .notACatalog: "the catalog is neither an object nor a list"
    case .utf16: "the catalog is written in UTF-16; save it as UTF-8"
    }
  }
}

extension SyntaxFault.Expected {
  fileprivate var noun: String {
    switch self {
    case .commaOrBracket: "a comma or “]”"
    case .commaOrBrace: "a comma or “}”"
    case .key: "a key in quotes"
    case .colon: "a colon"
    case .value: "a value"
    case .endOfText: "the end of the text"
    }
  }
}

extension ValueFault {
  /// Returns the fault as a clause about the value of this name.
  fileprivate func clause(about name: String) -> String { "\(name) \(predicate(of: name))" }

  private func predicate(of name: String) -> String {
    switch self {
    case .missing: "is missing"
    case .null: "is null"
    case .isNot(let kind): "is not \(kind.noun)"
    case .notAnInteger: "is not an integer, or too large"
    case .notFromZero(let largest): "is not from 0 to \(largest)"
    case .notADate(let text): "must be an ISO 8601 date with a time zone, got “\(text)”"
    case .notAnAddress: "is not an http or https address"
    case .notAMember: "is not a member's id"
    case .notAPhoto: "is not a photo's id"
    case .containsOtherThanTexts: "contains something that is not a string"
    case .unsuitable: MetadataField.all.first { $0.names.first == name }?.fault ?? "is invalid"
    case .senseless: "is invalid"
    }
  }
}

extension ValueFault.Kind {
  fileprivate var noun: String {
    switch self {
    case .text: "a string"
    case .integer: "an integer"
    case .truth: "true or false"
    case .list: "a list"
    case .listOfTexts: "a list of strings"
    case .object: "an object"
    }
  }
}

extension ReadingFault {
  fileprivate var clause: String {
    switch self {
    case .noMemory: "there is not enough memory to decompress it"
    case .damaged: "the compressed data is damaged; compress it again"
    case .incomplete: "the compressed data is incomplete; download it again"
    case .system(let reason): "reading failed (\(reason))"
    }
  }
}

extension PhotoFault {
  /// A printable sentence that says why the file has no metadata.
  public var message: String {
    switch self {
    case .missing: "File not found. It may have been moved or deleted."
    case .unreadable(let reason): "Can't read the file (\(reason.printable)). Check its permissions."
    case .empty: "The file is empty. It may still be downloading."
    case .notAnImage: "Not an image, or an unsupported format."
    case .harmful: "The file is too damaged to read."
    case .noWorker(let reason):
      "Can't start the image worker (\(reason.printable)); reinstall Tintype."
    }
  }
}

// MARK: - Images

extension ImageFault {
  /// A printable text that is shown in place of the image.
  public var message: String {
    switch self {
    case .missing: "File not found"
    case .unreadable(let reason): "Can't read the file: \(reason.printable)"
    case .notAFile: "Not a regular file"
    case .empty: "Empty file (still being copied?)"
    case .unknownFormat: "Not an image, or an unsupported format"
    case .tooLarge(let width, let height): "Too large: \(width)×\(height) pixels"
    case .incomplete: "Incomplete file (cut off, or still being copied)"
    case .damaged(.noLibvips): "Can't decode the image: \(Damage.noLibvips.clause)"
    case .damaged(let damage): "Damaged image: \(damage.clause.printable)"
    case .noPreview: "No preview in this raw file"
    case .unencodable: "Can't encode the image for this terminal"
    case .noLibraries: "Tintype was built without the image libraries"
    case .noWorker(let reason): "Can't start the image worker (\(reason.printable)); reinstall Tintype"
    case .timedOut: "Timed out after 10 s of decoding"
    case .unresponsive: "Timed out: the file can't be read, or the machine is very busy"
    case .crashed: "Can't decode the image: the decoder crashed"
    case .invalidAnswer: "Can't decode the image: the decoder's answer is invalid"
    case .noCache: "Can't cache images from the web: set XDG_CACHE_HOME or HOME"
    }
  }
}

extension ImageFault.Damage {
  /// The damage as a clause. A library's own words are not printable yet.
  public var clause: String {
    switch self {
    case .library(let reason): reason
    case .unknown: "the decoder failed"
    case .noLibvips: "libtintype-vips.so cannot be loaded; run swift build, or reinstall Tintype"
    case .notReadByLibvips: "libvips does not read its format"
    case .header: "its header is invalid"
    case .bitmap(let depth, let compression):
      "bitmaps of \(depth) bits and compression \(compression) are not supported"
    case .tooManyFaults: "it has too many errors"
    }
  }
}
