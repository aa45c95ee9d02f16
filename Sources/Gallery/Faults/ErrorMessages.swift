// The words of errors on the screen. The errors are values; services throw them, and nothing below the screen chooses
// words. A `message` is one or several sentences, a `clause` is a part of one. Where the shell's words differ, they are
// in tintype/ShellErrorMessages.swift. What only one module knows has its words there: an invalid search
// (Finding/PhotoQuery.swift), a sidecar (Sidecars/SidecarFault.swift), and an invalid name in the guestbook (ViewModels/Guestbook/GuestName.swift).

import Geography

// MARK: - Services

extension APIError {
  /// Printable sentences that say what happened and what the user can do. They name no key, since only the view that
  /// shows them knows it.
  public var message: String {
    switch self {
    case .noNetwork:
      localized("No Network. Check the connection.")
    case .webUnavailable:
      localized("Can't load from the web: libcurl is missing. Install libcurl4.")
    case .unreachable(let server, let fault):
      localized("Can't reach \(server.printable): \(fault.clause.printable).")
    case .serverOverload:
      localized("The server is busy. Try again in a moment.")
    case .permissionDenied(let subject?, let reason):
      localized(
        "You don't have permission to read \(subject.printable)\(Self.inBrackets(reason)). Ask its owner for access.")
    case .permissionDenied(nil, let reason):
      localized("You don't have permission\(Self.inBrackets(reason)). Sign in or ask for access.")
    case .notFound(let path):
      localized("There is no file at \(path.printable). Check the name.")
    case .noCollection(let name):
      localized("There is no collection “\(name.printable)”. Check the name.")
    case .unreadableContent(let source, let fault):
      localized("\(source?.printable ?? localized("The standard input")) cannot be read: \(fault.clause.printable).")
    case .serverFault(let server, let fault):
      "\(server.printable): \(fault.clause.printable)."
    case .untrustedServer(let server, let fault):
      localized("\(server.printable) cannot be trusted: \(fault.clause.printable).")
    case .unsafeAddress(let address, let fault):
      localized("Blocked \(address.printable): \(fault.clause).")
    case .invalidHeader(let name):
      localized("The header \(name.printable) has characters that cannot be sent. Correct it, then start again.")
    case .cannotWrite(let fault):
      localized("Can't save downloads: \(fault.clause.printable). Check the free space and the permissions there.")
    case .cannotOpen(let fault):
      fault.message.printable
    case .commandFailed(let fault):
      fault.message
    case .cancelled:
      localized("Loading stopped.")
    case .remote(let fault):
      fault.message
    case .notKept(let path, let fault):
      localized("Can't save to \(path.printable): \(fault.clause.printable).")
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
    case .refused: localized("connection refused")
    case .noRoute: localized("no route to the host")
    case .timedOut: localized("timed out")
    case .noNetwork: localized("no network")
    case .unknownName: localized("unknown host name, or no network")
    case .noEncryption(let reason):
      localized("no encrypted connection (\(reason)); check the port, and whether the server has TLS 1.2 or later")
    case .proxy(.unknownName): localized("the proxy fails (unknown name)")
    case .proxy(.status(407)):
      localized("the proxy asks for a password; write it into the proxy's address: http://USER:PASSWORD@HOST:PORT")
    case .proxy(let fault): localized("the proxy fails (\(fault.clause))")
    case .status(let status): "\(status)"
    case .notHTTP: localized("the answer is not HTTP")
    case .system(let reason): reason
    case .unknown: localized("no connection")
    }
  }
}

extension TrustFault {
  /// The fault as a clause about the server, and what the user can do.
  fileprivate var clause: String {
    switch self {
    case .expired:
      localized("its certificate has expired; check this machine's date, or ask the server's owner to renew it")
    case .notYetValid: localized("its certificate is not valid yet; check this machine's date")
    case .otherName: localized("its certificate is for another name; check the address")
    case .unknownAuthority:
      localized(
        "no known authority has signed its certificate; if it is yours, name the certificate's file in SSL_CERT_FILE"
      )
    case .weak: localized("its certificate is too weak; ask the server's owner for a new one")
    case .noAuthorities(let reason):
      localized("\(reason); install ca-certificates, or check SSL_CERT_FILE")
    case .other(let reason): localized("\(reason); check the address and this machine's date")
    }
  }
}

extension APIError.ServerFault {
  fileprivate var clause: String {
    switch self {
    case .status(let status, let reason):
      [404, 410].contains(status)
        ? localized("page not found (\(Self.text(status, reason))); check the address")
        : localized("the server reports an error (\(Self.text(status, reason)))")
    case .interrupted(let reason): localized("the connection broke (\(reason))")
    case .notHTTP: localized("the answer is not HTTP; check the port, and whether the address begins with https")
    case .unwantedCoding: localized("the answer is compressed by a method that was not asked for")
    case .tooSlow: localized("the answer is too slow")
    case .bodyTooLarge(let limit): localized("the answer is larger than \(Self.size(limit))")
    case .headersTooLarge(let limit): localized("the answer's headers are larger than \(Self.size(limit))")
    case .tooManyRedirects(let limit): localized("the server redirects more than \(limit) times")
    case .webPage(let wanted):
      localized(
        "the answer is a web page, not \(wanted.noun); check the address, or log in to this network in a browser")
    case .unreadable(let fault): localized("the answer cannot be read: \(fault.clause)")
    case .noVersions: localized("it does not tell versions of a file apart, so nothing is written over one")
    case .nothingNamed(let name, let others) where others.isEmpty: localized("there is no “\(name)” there")
    case .nothingNamed(let name, let others):
      localized("there is no “\(name)” there, but \(others.joined(separator: ", "))")
    }
  }

  private static func text(_ status: Int, _ reason: String?) -> String {
    "\(status)" + (reason.map { ": \($0)" } ?? "")
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20
      ? "\(bytes >> 20) MB"
      : bytes >= 1 << 10 ? "\(bytes >> 10) KB" : localized("\(bytes) byte", plural: "\(bytes) bytes", count: bytes)
  }
}

extension APIError.Answer {
  fileprivate var noun: String {
    switch self {
    case .catalog: localized("a catalog")
    case .image: localized("an image")
    case .searchResults: localized("search results")
    }
  }
}

extension APIError.AddressFault {
  fileprivate var clause: String {
    switch self {
    case .notHTTP: localized("this is not an http or https address")
    case .invalid: localized("it cannot be read")
    case .forbiddenRedirect: localized("a redirect must not lead there")
    case .privateNetwork: localized("the address is on a private network, and you didn't enter it yourself")
    }
  }
}

extension APIError.OpeningFault {
  fileprivate var message: String {
    switch self {
    case .noProgram: localized("There is no default program for this file. Set one, or copy its path.")
    case .openerMissing: localized("xdg-open is not installed. Install xdg-utils.")
    case .openerFailed(let reason): "xdg-open: \(reason)."
    }
  }
}

// MARK: - Sources

extension ContentFault {
  fileprivate var clause: String {
    switch self {
    case .folder: localized("it is a folder")
    case .notAFile: localized("it is not a regular file")
    case .notAnImage: localized("it is not an image, or its format is not supported")
    case .neitherImageNorCatalog: localized("it is neither an image nor a catalog")
    case .notAFileList: localized("the answer is not a list of files; check the address")
    case .notXMP: localized("it is not XMP that can be changed safely")
    case .archive(let fault): fault.clause
    case .worker(let fault): fault.message
    case .readingFailed(let path, let reason): localized("reading \(path) failed (\(reason))")
    case .system(let reason): reason
    case .utf16: localized("it is written in UTF-16; save it as UTF-8")
    case .syntax(let line, let column, let fault): localized("line \(line), column \(column): \(fault.clause)")
    case .value("", let fault): fault.clause(about: localized("it", context: "the catalog"))
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
      row.map { localized("line \(line), column \(column) (photo \($0)): \(reason)") }
        ?? localized("line \(line), column \(column): \(reason)")
    case .file(let name): "\(name): \(reason)"
    case .folder: reason
    case .page(let number): localized("page \(number): \(reason)")
    }
  }

  /// The reason without the place. It can quote the source and is not printable yet.
  public var reason: String {
    switch fault {
    case .syntax(let fault): fault.clause
    case .value(let name, let fault): fault.clause(about: name)
    case .duplicate(let name): localized("\(name) is repeated; the last one wins")
    case .duplicateID(let id): localized("an earlier photo has the same id, \(id)")
    case .notAnObject: localized("the photo is not an object")
    case .missingImage(let address): localized("image_url names a missing file: “\(address)”")
    case .incompletePlace: localized("latitude and longitude must both be given")
    case .pathTooLong: localized("the path is too long")
    case .noFile(let path): localized("there is no file at \(path)")
    case .reading(let fault): fault.clause
    case .nextPage(let address):
      localized("the next page is not opened: \(address) is not an http or https address, or leads from https to http")
    case .photo(let fault): fault.message
    case .cutOff: localized("The file is incomplete: cut off, or still being copied.")
    case .told(let message): message
    case .archives(let count):
      localized(
        "An archive in it is not opened. Unpack it first.",
        plural: "\(count) archives in it are not opened. Unpack them first.", count: count)
    case .source(let error): error.message
    case .text(let problem): problem.message
    }
  }
}

extension SyntaxFault {
  fileprivate var clause: String {
    switch self {
    case .ends(let expected): localized("expected \(expected.noun), but the text ends")
    case .unexpected(let byte?, let expected):
      localized("expected \(expected.noun), got “\(Character(Unicode.Scalar(byte)))”")
    case .unexpected(nil, let expected): localized("expected \(expected.noun), got another character")
    case .unendedString: localized("the string that starts here has no closing quote")
    case .controlCharacter: localized("a string contains a control character")
    case .notUTF8: localized("this is not UTF-8")
    case .unknownEscape: localized("unknown escape sequence")
    case .incompleteEscape: localized("\\u needs four hexadecimal digits")
    case .unpairedSurrogate: localized("half of a surrogate pair")
    case .tooDeep: localized("nested too deeply")
    case .leadingZero: localized("a number starts with 0")
    case .notANumber: localized("invalid number")
    case .tooLong(let limit): localized("this is longer than \(limit) bytes")
    case .webPage: localized("this is a web page or XML, not a catalog")
    case .notACatalog: localized("the catalog is neither an object nor a list")
    case .utf16: localized("the catalog is written in UTF-16; save it as UTF-8")
    }
  }
}

extension SyntaxFault.Expected {
  fileprivate var noun: String {
    switch self {
    case .commaOrBracket: localized("a comma or “]”")
    case .commaOrBrace: localized("a comma or “}”")
    case .key: localized("a key in quotes")
    case .colon: localized("a colon")
    case .value: localized("a value")
    case .endOfText: localized("the end of the text")
    }
  }
}

extension ValueFault {
  /// Returns the fault as a clause about the value of this name.
  fileprivate func clause(about name: String) -> String { "\(name) \(predicate(of: name))" }

  private func predicate(of name: String) -> String {
    switch self {
    case .missing: localized("is missing")
    case .null: localized("is null")
    case .isNot(let kind): kind.negation
    case .notAnInteger: localized("is not an integer, or too large")
    case .notFromZero(let largest): localized("is not from 0 to \(largest)")
    case .notADate(let text): localized("must be an ISO 8601 date with a time zone, got “\(text)”")
    case .notAnAddress: localized("is not an http or https address")
    case .tooLong(let bytes): localized("must not be longer than \(Int64(bytes).fileSizeText)")
    case .notAMember: localized("is not a member's id")
    case .notAPhoto: localized("is not a photo's id")
    case .containsOtherThanTexts: localized("contains something that is not a string")
    case .unsuitable: MetadataField.all.first { $0.names.first == name }?.fault.text ?? localized("is invalid")
    case .senseless: localized("is invalid")
    }
  }
}

extension ValueFault.Kind {
  /// The predicate that a value is not of this kind.
  fileprivate var negation: String {
    switch self {
    case .text: localized("is not a string")
    case .integer: localized("is not an integer")
    case .truth: localized("is not true or false")
    case .list: localized("is not a list")
    case .listOfTexts: localized("is not a list of strings")
    case .object: localized("is not an object")
    }
  }
}

extension ReadingFault {
  fileprivate var clause: String {
    switch self {
    case .noMemory: localized("there is not enough memory to decompress it")
    case .damaged: localized("the compressed data is damaged; compress it again")
    case .incomplete: localized("the compressed data is incomplete; download it again")
    case .system(let reason): localized("reading failed (\(reason))")
    }
  }
}

extension PhotoFault {
  /// A printable sentence that says why the file has no metadata.
  public var message: String {
    switch self {
    case .missing: localized("File not found. It may have been moved or deleted.")
    case .unreadable(let reason): localized("Can't read the file (\(reason.printable)). Check its permissions.")
    case .empty: localized("The file is empty. It may still be downloading.")
    case .notAnImage: localized("Not an image, or an unsupported format.")
    case .unsupported(let format): localized("No decoder for \(format.name).")
    case .harmful: localized("The file is too damaged to read.")
    case .archive(let fault): localized("Can't read the archive: \(fault.clause).")
    case .noWorker(let reason):
      localized("Can't start the image worker (\(reason.printable)); reinstall Tintype.")
    }
  }
}

extension PlacesFault {
  /// A printable sentence that says what is missing, and what the user can do.
  public var message: String {
    switch self {
    case .unreadable(let path):
      localized("Can't read \(path.printable). Install Tintype again to have the names of places and the map.")
    case .damaged(let path):
      localized("\(path.printable) is damaged. Install Tintype again to have the names of places and the map.")
    }
  }
}

// MARK: - Images

extension ImageFault {
  /// The text of ``message`` as a sentence beside others.
  public var sentence: String { message.hasSuffix(".") ? message : "\(message)." }

  /// A printable text that is shown in place of the image.
  public var message: String {
    switch self {
    case .missing: localized("File not found")
    case .unreadable(let reason): localized("Can't read the file: \(reason.printable)")
    case .notAFile: localized("Not a regular file")
    case .empty: localized("Empty file (still being copied?)")
    case .unknownFormat: localized("Not an image, or an unsupported format")
    case .unsupported(let format): localized("No decoder for \(format.name)")
    case .tooLarge(let width, let height): localized("Too large: \(width)×\(height) pixels")
    case .incomplete: localized("Incomplete file (cut off, or still being copied)")
    case .damaged(.noVideoLibrary): localized("Can't show the video: \(Damage.noVideoLibrary.clause)")
    case .damaged(.memory): localized("Can't decode the image: \(Damage.memory.clause)")
    case .damaged(.noLibvips): localized("Can't decode the image: \(Damage.noLibvips.clause)")
    case .damaged(.noRawLibrary): localized("Can't decode the image: \(Damage.noRawLibrary.clause)")
    case .damaged(.coding(let name)):
      localized("Can't decode the image: \(Damage.coding(name).clause.printable)")
    case .damaged(let damage): localized("Damaged image: \(damage.clause.printable)")
    case .noPreview: localized("No preview in this raw file, and LibRaw can't develop it")
    case .unencodable: localized("Can't encode the image for this terminal")
    case .noWorker(let reason): localized("Can't start the image worker (\(reason.printable)); reinstall Tintype")
    case .timedOut: localized("Timed out after 10 s of decoding")
    case .unresponsive: localized("Timed out: the file can't be read, or the machine is very busy")
    case .crashed: localized("Can't decode the image: the decoder crashed")
    case .invalidAnswer: localized("Can't decode the image: the decoder's answer is invalid")
    case .archive(let fault): localized("Can't read the archive: \(fault.clause)")
    case .noCache: localized("Can't cache images from the web: set XDG_CACHE_HOME or HOME")
    case .notExported(let obstacle): obstacle.message
    }
  }
}

extension ImageFault.Obstacle {
  fileprivate var message: String {
    switch self {
    case .noEncoder(let format): localized("Can't write \(format.title): its library is not installed")
    case .tooLarge(let bytes):
      localized(
        "Too large: \(Int64(bytes).fileSizeText) at the lowest quality. Choose a smaller size, or a higher limit.")
    case .noFont: localized("Can't draw the watermark: there is no font for it")
    case .unwritable(let reason): localized("Can't write the file: \(reason.printable)")
    }
  }
}

extension ImageFault.Damage {
  /// The damage as a clause. A library's own words are not printable yet.
  public var clause: String {
    switch self {
    case .library(let reason): reason
    case .unknown: localized("the decoder failed")
    case .memory: localized("it needs more memory than a decoder may use")
    case .noVideoLibrary:
      localized("FFmpeg's libraries are not installed, or libtintype-video.so is missing; see tintype doctor")
    case .noRawLibrary:
      localized("LibRaw is not installed, or libtintype-raw.so is missing; see tintype doctor")
    case .noLibvips: localized("libtintype-vips.so cannot be loaded; run swift build, or reinstall Tintype")
    case .header: localized("its header is invalid")
    case .coding(let name): localized("its coding is not supported (\(name))")
    case .bitmap(let depth, let compression):
      localized("bitmaps of \(depth) bits and compression \(compression) are not supported")
    case .tooManyFaults: localized("it has too many errors")
    }
  }
}
