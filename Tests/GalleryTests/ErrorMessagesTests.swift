import Gallery
import TestLimit
import Testing

/// A character that a terminal would obey, and that no message may contain.
private let escape = "\u{1B}"

/// The words of each error, so that a later rewording is a change of these tables.
@Suite(.limited) struct ErrorMessagesTests {
  @Test(arguments: [
    (APIError.noNetwork, "No Network. Check the connection."),
    (.webUnavailable, "Can't load from the web: libcurl is missing. Install libcurl4."),
    (.serverOverload, "The server is busy. Try again in a moment."),
    (.permissionDenied(), "You don't have permission. Sign in or ask for access."),
    (.permissionDenied(reason: "No key"), "You don't have permission (No key). Sign in or ask for access."),
    (.permissionDenied(subject: "/a"), "You don't have permission to read /a. Ask its owner for access."),
    (
      .permissionDenied(subject: "a.org", reason: "Bad\(escape)key"),
      "You don't have permission to read a.org (Bad\u{FFFD}key). Ask its owner for access."
    ),
    (.notFound(path: "/a\(escape)"), "There is no file at /a\u{FFFD}. Check the name."),
    (
      .untrustedServer(server: "a.org", .other(reason: "SSL: \(escape)")),
      "a.org cannot be trusted: SSL: \u{FFFD}; check the address and this machine's date."
    ),
    (
      .untrustedServer(server: "a.org", .notYetValid),
      "a.org cannot be trusted: its certificate is not valid yet; check this machine's date."
    ),
    (
      .invalidHeader(name: "X-\(escape)"),
      "The header X-\u{FFFD} has characters that cannot be sent. Correct it, then start again."
    ),
    (.cancelled, "Loading stopped."),
  ])
  func errorsOfServices(error: APIError, message: String) {
    #expect(error.message == message)
  }

  @Test(arguments: [
    (ConnectionFault.refused, "connection refused"), (.noRoute, "no route to the host"), (.timedOut, "timed out"),
    (.noNetwork, "no network"), (.unknownName, "unknown host name, or no network"), (.unknown, "no connection"),
    (.system(reason: "Permission\(escape)denied"), "Permission\u{FFFD}denied"),
    (
      .noEncryption(reason: "wrong\(escape)"),
      "no encrypted connection (wrong\u{FFFD}); check the port, and whether the server has TLS 1.2 or later"
    ),
    (.proxy(.refused), "the proxy fails (connection refused)"), (.proxy(.noNetwork), "the proxy fails (no network)"),
    (.proxy(.unknownName), "the proxy fails (unknown name)"), (.proxy(.unknown), "the proxy fails (no connection)"),
    (.proxy(.status(403)), "the proxy fails (403)"), (.proxy(.notHTTP), "the proxy fails (the answer is not HTTP)"),
    (
      .proxy(.status(407)),
      "the proxy asks for a password; write it into the proxy's address: http://USER:PASSWORD@HOST:PORT"
    ),
  ])
  func faultsOfConnections(fault: ConnectionFault, clause: String) {
    #expect(APIError.unreachable(server: "a.org", fault).message == "Can't reach a.org: \(clause).")
  }

  @Test(arguments: [
    (APIError.ServerFault.status(404, reason: nil), "page not found (404); check the address"),
    (.status(410, reason: "Gone\(escape)"), "page not found (410: Gone\u{FFFD}); check the address"),
    (.status(500, reason: nil), "the server reports an error (500)"),
    (.status(418, reason: "Tea"), "the server reports an error (418: Tea)"),
    (.interrupted(reason: "Recv failure"), "the connection broke (Recv failure)"),
    (.notHTTP, "the answer is not HTTP; check the port, and whether the address begins with https"),
    (.unwantedCoding, "the answer is compressed by a method that was not asked for"),
    (.tooSlow, "the answer is too slow"),
    (.bodyTooLarge(limit: 64 << 20), "the answer is larger than 64 MB"),
    (.bodyTooLarge(limit: 1000), "the answer is larger than 1000 bytes"),
    (.headersTooLarge(limit: 256 << 10), "the answer's headers are larger than 256 KB"),
    (.tooManyRedirects(limit: 5), "the server redirects more than 5 times"),
    (
      .webPage(insteadOf: .catalog),
      "the answer is a web page, not a catalog; check the address, or log in to this network in a browser"
    ),
    (
      .webPage(insteadOf: .image),
      "the answer is a web page, not an image; check the address, or log in to this network in a browser"
    ),
    (
      .webPage(insteadOf: .searchResults),
      "the answer is a web page, not search results; check the address, or log in to this network in a browser"
    ),
    (
      .unreadable(.syntax(line: 1, column: 2, .ends(.value))),
      "the answer cannot be read: line 1, column 2: expected a value, but the text ends"
    ),
  ])
  func faultsOfServers(fault: APIError.ServerFault, clause: String) {
    #expect(APIError.serverFault(server: "a.org", fault).message == "a.org: \(clause).")
  }

  @Test(arguments: [
    (APIError.AddressFault.notHTTP, "this is not an http or https address"), (.invalid, "it cannot be read"),
    (.forbiddenRedirect, "a redirect must not lead there"),
    (.privateNetwork, "the address is on a private network, and you didn't enter it yourself"),
  ])
  func faultsOfAddresses(fault: APIError.AddressFault, clause: String) {
    #expect(APIError.unsafeAddress("h\(escape)", fault).message == "Blocked h\u{FFFD}: \(clause).")
  }

  @Test(arguments: [
    (
      APIError.OpeningFault.noProgram, "There is no default program for this file. Set one, or copy its path."
    ),
    (.openerMissing, "xdg-open is not installed. Install xdg-utils."),
    (.openerFailed(reason: "Out of memory"), "xdg-open: Out of memory."),
  ])
  func faultsOfOpening(fault: APIError.OpeningFault, message: String) {
    #expect(APIError.cannotOpen(fault).message == message)
  }

  @Test(arguments: [
    (WriteFault.system(reason: "No space left on device"), "No space left on device"),
    (.noFile(folder: "/c", reason: "Read-only file system"), "/c: Read-only file system"),
    (.noRoom(folder: "/c\(escape)"), "/c\u{FFFD}: there is no space left, or it is not writable"),
    (.cannotReadBack(path: "/c/a"), "/c/a can't be read back"),
  ])
  func faultsOfWriting(fault: WriteFault, clause: String) {
    #expect(
      APIError.cannotWrite(fault).message
        == "Can't save downloads: \(clause). Check the free space and the permissions there.")
  }
}

extension ErrorMessagesTests {
  @Test(arguments: [
    (ContentFault.folder, "it is a folder"), (.notAFile, "it is not a regular file"),
    (.notAnImage, "it is not an image, or its format is not supported"),
    (.neitherImageNorCatalog, "it is neither an image nor a catalog"),
    (.readingFailed(path: "/a", reason: "Input/output error"), "reading /a failed (Input/output error)"),
    (.system(reason: "Too many open files"), "Too many open files"),
    (.utf16, "it is written in UTF-16; save it as UTF-8"),
    (.syntax(line: 2, column: 12, .notUTF8), "line 2, column 12: this is not UTF-8"),
    (.value(path: "", .isNot(.object)), "it is not an object"), (.value(path: "items", .missing), "items is missing"),
    (
      .problem(CatalogProblem(.text(line: 1, column: 13, row: 1), .value(of: "id", .missing))),
      "line 1, column 13 (photo 1): id is missing"
    ),
  ])
  func faultsOfContent(fault: ContentFault, clause: String) {
    #expect(APIError.unreadableContent(source: "a", fault).message == "a cannot be read: \(clause).")
    #expect(APIError.unreadableContent(source: nil, fault).message == "The standard input cannot be read: \(clause).")
  }

  @Test(arguments: [
    (
      CatalogProblem.Place.text(line: 1, column: 2, row: nil), "line 1, column 2: photos is repeated; the last one wins"
    ),
    (.text(line: 1, column: 2, row: 3), "line 1, column 2 (photo 3): photos is repeated; the last one wins"),
    (.file("b/a.jpg"), "b/a.jpg: photos is repeated; the last one wins"),
    (.folder, "photos is repeated; the last one wins"), (.page(4), "page 4: photos is repeated; the last one wins"),
  ])
  func placesOfProblems(place: CatalogProblem.Place, message: String) {
    #expect(CatalogProblem(place, .duplicate("photos")).message == message)
  }

  @Test(arguments: [
    (CatalogProblem.Fault.syntax(.tooDeep), "nested too deeply"), (.value(of: "name", .null), "name is null"),
    (.duplicateID(7), "an earlier photo has the same id, 7"), (.notAnObject, "the photo is not an object"),
    (.missingImage("a.jpg"), "image_url names a missing file: “a.jpg”"),
    (.incompletePlace, "latitude and longitude must both be given"), (.pathTooLong, "the path is too long"),
    (.noFile("a.jpg"), "there is no file at a.jpg"),
    (.reading(.noMemory), "there is not enough memory to decompress it"),
    (.reading(.damaged), "the compressed data is damaged; compress it again"),
    (.reading(.incomplete), "the compressed data is incomplete; download it again"),
    (.reading(.system(reason: "Input/output error")), "reading failed (Input/output error)"),
    (
      .nextPage("ftp://a"),
      "the next page is not opened: ftp://a is not an http or https address, or leads from https to http"
    ),
    (.photo(.missing), "File not found. It may have been moved or deleted."),
    (.cutOff, "The file is incomplete: cut off, or still being copied."),
    (.source(.notFound(path: "/a")), "There is no file at /a. Check the name."),
    (
      .text(CatalogProblem(.text(line: 1, column: 2, row: 3), .notAnObject)),
      "line 1, column 2 (photo 3): the photo is not an object"
    ),
  ])
  func faultsOfPhotosInASource(fault: CatalogProblem.Fault, reason: String) {
    #expect(CatalogProblem(.folder, fault).reason == reason)
  }

  @Test(arguments: [
    (SyntaxFault.ends(.commaOrBracket), "expected a comma or “]”, but the text ends"),
    (.ends(.commaOrBrace), "expected a comma or “}”, but the text ends"),
    (.unexpected(UInt8(ascii: ","), .key), "expected a key in quotes, got “,”"),
    (.unexpected(nil, .colon), "expected a colon, got another character"),
    (.unexpected(UInt8(ascii: "x"), .endOfText), "expected the end of the text, got “x”"),
    (.unendedString, "the string that starts here has no closing quote"),
    (.controlCharacter, "a string contains a control character"), (.notUTF8, "this is not UTF-8"),
    (.unknownEscape, "unknown escape sequence"), (.incompleteEscape, #"\u needs four hexadecimal digits"#),
    (.unpairedSurrogate, "half of a surrogate pair"), (.tooDeep, "nested too deeply"),
    (.leadingZero, "a number starts with 0"), (.notANumber, "invalid number"),
    (.tooLong(limit: 1000), "this is longer than 1000 bytes"),
    (.webPage, "this is a web page or XML, not a catalog"),
    (.notACatalog, "the catalog is neither an object nor a list"),
    (.utf16, "the catalog is written in UTF-16; save it as UTF-8"),
  ])
  func faultsOfJSON(fault: SyntaxFault, clause: String) {
    #expect(CatalogProblem(.folder, .syntax(fault)).reason == clause)
  }

  @Test(arguments: [
    (ValueFault.missing, "is missing"), (.null, "is null"), (.isNot(.text), "is not a string"),
    (.isNot(.integer), "is not an integer"), (.isNot(.truth), "is not true or false"), (.isNot(.list), "is not a list"),
    (.isNot(.listOfTexts), "is not a list of strings"), (.isNot(.object), "is not an object"),
    (.notAnInteger, "is not an integer, or too large"), (.notFromZero(to: 99), "is not from 0 to 99"),
    (.tooLong(65_536), "must not be longer than 65 kB"),
    (.notADate("now"), "must be an ISO 8601 date with a time zone, got “now”"),
    (.notAnAddress, "is not an http or https address"), (.notAMember, "is not a member's id"),
    (.notAPhoto, "is not a photo's id"), (.containsOtherThanTexts, "contains something that is not a string"),
    // The list of the fields has these words.
    (.unsuitable, "is not a sensitivity"), (.senseless, "is invalid"),
  ])
  func faultsOfValues(fault: ValueFault, clause: String) {
    #expect(CatalogProblem(.folder, .value(of: "iso", fault)).reason == "iso \(clause)")
  }

  @Test(arguments: [
    (PhotoFault.missing, "File not found. It may have been moved or deleted."),
    (
      .unreadable(reason: "Permission\(escape)"),
      "Can't read the file (Permission\u{FFFD}). Check its permissions."
    ),
    (.empty, "The file is empty. It may still be downloading."),
    (.notAnImage, "Not an image, or an unsupported format."), (.unsupported(.psd), "No decoder for Photoshop."),
    (.harmful, "The file is too damaged to read."),
    (
      .noWorker(reason: "No such file or directory"),
      "Can't start the image worker (No such file or directory); reinstall Tintype."
    ),
  ])
  func faultsOfPhotos(fault: PhotoFault, message: String) {
    #expect(fault.message == message)
  }
}

extension ErrorMessagesTests {
  @Test(arguments: [
    (ImageFault.missing, "File not found"),
    (.unreadable(reason: "Permission\(escape)denied"), "Can't read the file: Permission\u{FFFD}denied"),
    (.notAFile, "Not a regular file"), (.empty, "Empty file (still being copied?)"),
    (.unknownFormat, "Not an image, or an unsupported format"),
    (.tooLarge(width: 65535, height: 65536), "Too large: 65535×65536 pixels"),
    (.incomplete, "Incomplete file (cut off, or still being copied)"),
    (.noPreview, "No preview in this raw file, and LibRaw can't develop it"),
    (.unencodable, "Can't encode the image for this terminal"),
    (
      .noWorker(reason: "No such file or directory"),
      "Can't start the image worker (No such file or directory); reinstall Tintype"
    ),
    (.timedOut, "Timed out after 10 s of decoding"),
    (.unresponsive, "Timed out: the file can't be read, or the machine is very busy"),
    (.crashed, "Can't decode the image: the decoder crashed"),
    (.invalidAnswer, "Can't decode the image: the decoder's answer is invalid"),
    (.noCache, "Can't cache images from the web: set XDG_CACHE_HOME or HOME"),
    (.damaged(.library(reason: "bad\(escape) marker")), "Damaged image: bad\u{FFFD} marker"),
    (.damaged(.unknown), "Damaged image: the decoder failed"),
    (
      .damaged(.noLibvips),
      "Can't decode the image: libtintype-vips.so cannot be loaded; run swift build, or reinstall Tintype"
    ),
    (
      .damaged(.noRawLibrary),
      "Can't decode the image: LibRaw is not installed, or libtintype-raw.so is missing; see tintype doctor"
    ),
    (.damaged(.coding("BC\(escape)7")), "Can't decode the image: its coding is not supported (BC\u{FFFD}7)"),
    (.unsupported(.xcf), "No decoder for XCF (GIMP)"),
    (.damaged(.header), "Damaged image: its header is invalid"),
    (
      .damaged(.bitmap(depth: 3, compression: 9)),
      "Damaged image: bitmaps of 3 bits and compression 9 are not supported"
    ),
    (.damaged(.tooManyFaults), "Damaged image: it has too many errors"),
    (.damaged(.memory), "Can't decode the image: it needs more memory than a decoder may use"),
    (.notExported(.noEncoder(.avif)), "Can't write AVIF: its library is not installed"),
    (
      .notExported(.tooLarge(bytes: 340_000)),
      "Too large: 340 kB at the lowest quality. Choose a smaller size, or a higher limit."
    ),
    (.notExported(.noFont), "Can't draw the watermark: there is no font for it"),
    (.notExported(.unwritable(reason: "full\(escape)")), "Can't write the file: full\u{FFFD}"),
  ])
  func faultsOfImages(fault: ImageFault, message: String) {
    #expect(fault.message == message)
  }
}

extension ErrorMessagesTests {
  @Test(arguments: [
    (StoreFault.noPlace, "HOME is not an absolute path; set it to your home folder"),
    (.noFolder, "its folder can't be created; check the permissions above it"),
    (.damaged, "it is damaged; move it away to start with a new one"),
    (.newer, "a newer version of Tintype wrote it; use that version"),
    (.unopenable, "it can't be opened; check its permissions"),
    (.readOnly, "it is read-only; make it and its folder writable"), (.full, "the disk is full; free some space"),
    (.held, "another program is using it; close that program"),
    (.other(reason: "table\(escape) exists"), "table\u{FFFD} exists"),
  ])
  func faultsOfTheStore(fault: StoreFault, clause: String) {
    #expect(
      APIError.notKept(path: "/s\(escape)", fault).message
        == "Can't save to /s\u{FFFD}: \(clause).")
    #expect(
      StoreProblem(contents: .other, path: "/s", fault: fault).message
        == "Changes will not be kept after you quit. /s can't be used: \(clause).")
  }

  @Test func aStoreThatKeepsNothingSaysWhatIsLost() {
    #expect(
      StoreProblem(contents: .guestbook, path: nil, fault: .noPlace).message
        == "Guestbook entries will not be kept after you quit. HOME is not an absolute path; set it to your home folder."
    )
    #expect(
      StoreProblem(contents: .state, path: "/s/a.sqlite", fault: .damaged, setAside: "/s/a.sqlite.damaged-1").message
        == "Follows, basket, searches and marks were reset. /s/a.sqlite was damaged and is kept next to it as a.sqlite.damaged-1. "
        + "If you have a backup, quit and restore it.")
  }

  @Test(arguments: [
    (ExportError.notAFile(path: "/a\u{1B}"), "/a\u{FFFD} is not a file. Choose another name."),
    (.alreadyExists(path: "/a"), "/a already exists. Choose another name."),
    (.notACatalog(path: "/a"), "/a is not a catalog, so it was not overwritten. Choose another name."),
    (.stopped, "Stopped. Nothing was written."),
    (.other(path: "/a", description: "cut"), "Can't write /a (cut)."),
  ])
  func errorsOfExports(error: ExportError, message: String) {
    #expect(error.message == message)
  }

  @Test(arguments: [
    (AtomicFile.Stage.follow, "following the link failed"), (.create, "creating a file next to it failed"),
    (.write, "writing failed"), (.flush, "flushing it to the disk failed"), (.replace, "replacing it failed"),
  ])
  func stepsOfExports(step: AtomicFile.Stage, clause: String) {
    #expect(
      ExportError.failed(step, path: "/a", reason: "File too large").message
        == "/a was not changed: \(clause) (File too large). Check the folder's permissions and the free space.")
  }

  @Test func aSkippedPhotoSaysWhy() {
    #expect(
      SkippedPhoto(name: "a", fault: .nameIsNotUTF8).reason == "Its name is not UTF-8, which JSON requires. Rename it.")
  }

  @Test func messagesNameNoKeyToPress() {
    for error in [APIError.noNetwork, .serverOverload, .permissionDenied(), .unreachable(server: "a", .refused)] {
      #expect(!error.message.lowercased().contains("press "))
    }
  }
}
