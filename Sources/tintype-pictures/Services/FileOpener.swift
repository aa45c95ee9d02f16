import CConfinement
import CSystem
import Gallery
import ImageWire
import Metadata
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process that opens files for a decoder, which has no right to do that itself.
///
/// It is the decoder's only child. It reads the gallery's requests, opens what a request needs, and passes the request and
/// the descriptors on to the decoder, which answers the gallery directly. It never reads what is in an image, and never
/// opens a file that the decoder names: a decoder that a hostile file has taken over can ask it for the next request, and
/// to store one thumbnail of each size of the last photos, and for nothing else.
struct FileOpener {
  /// The socket to the decoder.
  private let decoder: Int32
  private let decoderID: pid_t
  private let thumbnails: ThumbnailCache?
  private var terminalFiles: TerminalFiles
  private var requests = RequestReader<ImageRequest>()
  /// The photos of the last requests of which thumbnails may be stored, the oldest first.
  private var photos: [OpenedPhoto] = []
  /// Whether no request has come for a while.
  private var isQuiet = false
  /// The bytes of large thumbnails that were stored since the cache was pruned.
  private var storedBytes = 0

  private struct OpenedPhoto {
    let number: UInt32
    let path: FilePath
    let status: stat
    /// The sides of the thumbnails that may be stored.
    var sides = Set([ThumbnailCache.box] + ThumbnailCache.largeBoxes)
  }

  /// The most photos of which thumbnails may be stored.
  private static let mostPhotos = 32
  /// The time without a request after which the decoder can do other work, in milliseconds.
  private static let quietTime: Int32 = 400
  /// The bytes of large thumbnails after which the cache is pruned.
  private static let mostStoredBytes = 64 << 20

  /// Starts the opener of this process. Returns the decoder's end of the socket between them, or nil if the system does not
  /// allow a further process.
  static func start() -> OpenerChannel? {
    var ends: [Int32] = [-1, -1]
    let decoderID = getpid()
    guard connect_sockets(&ends) == 0 else { return nil }
    let copy = fork_process()
    close(ends[copy == 0 ? 1 : 0])
    guard copy >= 0 else { return nil }
    guard copy == 0 else { return OpenerChannel(socket: ends[1]) }
    var opener = FileOpener(decoder: ends[0], decoderID: decoderID)
    opener.run()
  }

  private init(decoder: Int32, decoderID: pid_t) {
    self.decoder = decoder
    self.decoderID = decoderID
    thumbnails = ThumbnailCache()
    terminalFiles = TerminalFiles(decoderID: decoderID)
  }

  private mutating func run() -> Never {
    // A decoder that a file has taken over could keep this thread waiting while the gallery ends.
    guard watch_parent(decoderID, decoder) != 0 else { exit(EXIT_FAILURE) }
    var message = OpenerMessage()
    while Self.wait(for: decoder, unlessEnded: 0),
      withUnsafeMutableBytes(of: &message, { OpenerChannel.fill($0, from: decoder) })
    {
      guard message.isAboutThumbnail ? storeThumbnail(message) : passOnRequest(message) else { break }
    }
    terminalFiles.end()
    shutdown(decoder, Int32(SHUT_WR))
    end_parent(decoderID, decoder)
    if storedBytes > 0 { thumbnails?.prune() }
    exit(EXIT_SUCCESS)
  }

  /// Stores the thumbnail whose pixels follow. Returns false if the decoder has ended, or makes no sense.
  private mutating func storeThumbnail(_ message: OpenerMessage) -> Bool {
    let side = message.thumbnail.longerSide
    guard ([ThumbnailCache.box] + ThumbnailCache.largeBoxes).contains(side), message.thumbnail.area > 0 else {
      return false
    }
    let pixels = Pixels(message.thumbnail)
    guard OpenerChannel.fill(UnsafeMutableRawBufferPointer(pixels.words), from: decoder) else { return false }
    if let thumbnails, let index = photos.firstIndex(where: { $0.number == message.number }),
      photos[index].sides.remove(side) != nil
    {
      let bytes = thumbnails.store(pixels, of: photos[index].path, photos[index].status, message.image)
      if side > ThumbnailCache.box { storedBytes += bytes }
      if storedBytes > Self.mostStoredBytes {
        thumbnails.prune()
        storedBytes = 0
      }
    }
    return [UInt8(0)].withUnsafeBytes { RequestChannel.writeAll($0, to: decoder) }
  }

  /// Opens the file of the next request. If it cannot be opened, the gallery has its answer from here.
  private mutating func passOnRequest(_ message: OpenerMessage) -> Bool {
    terminalFiles.finish()
    // Once no request has come for a while, the decoder goes on until one comes.
    isQuiet = message.hasWork && isQuiet(for: isQuiet ? 0 : Self.quietTime)
    if isQuiet { return OpenerChannel(socket: decoder).sendQuiet() }
    while var request = try? requests.next(wait: { [decoder] in Self.wait(for: 0, unlessEnded: decoder) }) {
      do throws(ImageFault) {
        let photo = try Self.openPhoto(of: &request)
        return try send(request, photo: photo)
      } catch {
        let answer = ImageAnswer(number: request.number, content: .failure(error))
        guard RequestChannel.send(answer) else { return false }
      }
    }
    return false
  }

  /// Waits until a socket can be read. Returns false if the process at another socket ends first.
  private static func wait(for socket: Int32, unlessEnded other: Int32) -> Bool {
    var ends = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: 0, revents: 0),
    ]
    while poll(&ends, nfds_t(ends.count), -1) < 0, errno == EINTR {}
    return ends[1].revents == 0
  }

  /// Returns whether no request comes for some time, and neither the gallery nor the decoder ends.
  private func isQuiet(for milliseconds: Int32) -> Bool {
    var ends = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: decoder, events: 0, revents: 0)]
    return poll(&ends, nfds_t(ends.count), milliseconds) == 0
  }

  /// Opens the file of a request, or the archive through which its path leads.
  private static func openPhoto(of request: inout ImageRequest) throws(ImageFault) -> Int32 {
    do throws(ImageFault) {
      request.entryCount = 0
      return try ImageFile.open(request.path)
    } catch {
      guard let (file, entryCount) = request.path.archive else { throw error }
      request.entryCount = entryCount
      return try ImageFile.open(file)
    }
  }

  private mutating func send(_ request: ImageRequest, photo: Int32) throws(ImageFault) -> Bool {
    if let destination = request.destination {
      let output = try Self.openOutput(destination, closing: photo)
      let files = RequestFiles(photo: photo, memory: request.memory, output: output)
      defer { files.closeAll() }
      return OpenerChannel(socket: decoder).send(request, files)
    }
    var status = stat()
    if fstat(photo, &status) == 0 {
      if photos.count == Self.mostPhotos { photos.removeFirst() }
      photos.append(OpenedPhoto(number: request.number, path: request.path, status: status))
    }
    let files = RequestFiles(
      photo: photo, memory: request.memory, thumbnails: thumbnails?.open(for: request.path) ?? [],
      output: terminalFiles.open(for: request))
    defer { files.closeAll() }
    return OpenerChannel(socket: decoder).send(request, files)
  }

  /// Opens the new file of an export or a sheet, which the gallery has made. Closes the photo if that fails.
  private static func openOutput(_ path: FilePath, closing photo: Int32) throws(ImageFault) -> Int32 {
    let descriptor = path.withCString { open($0, O_WRONLY | O_TRUNC | O_CLOEXEC) }
    if descriptor >= 0 { return descriptor }
    let fault = ImageFault.unwritable
    close(photo)
    throw fault
  }
}

extension ImageRequest {
  /// A new file in memory if the request is about an archive; nil for another request, and if there is no memory.
  fileprivate var memory: Int32? {
    var isListing = false
    if case .list = job { isListing = true }
    guard entry != nil || isListing else { return nil }
    let descriptor = create_memory_file()
    return descriptor < 0 ? nil : descriptor
  }
}
