#if Pictures
  import CConfinement
  import Gallery
  import Glibc
  import ImageWire
  import Metadata

  /// The process that opens files for a decoder, which has no right to do that itself.
  ///
  /// It is the decoder's only child. It reads the browser's requests, opens what a request needs, and passes the request and
  /// the descriptors on to the decoder, which answers the browser directly. It never reads what is in an image, and never
  /// opens a file that the decoder names: a decoder that a hostile file has taken over can ask it for the next request, and
  /// to store one thumbnail of the current photo, and for nothing else.
  struct FileOpener {
    /// The socket to the decoder.
    private let decoder: Int32
    private let decoderID: pid_t
    private let thumbnails: ThumbnailCache?
    private var terminalFiles: TerminalFiles
    private var requests = RequestReader<RenditionRequest>()
    /// The photo that the decoder is working on, until it has a thumbnail.
    private var current: (path: FilePath, status: stat)?

    /// Starts the opener of this process. Returns the decoder's end of the socket between them, or nil if the system does not
    /// allow a further process.
    static func start() -> OpenerChannel? {
      var ends: [Int32] = [-1, -1]
      let decoderID = getpid()
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
      let copy = fork_process()
      close(ends[copy == 0 ? 1 : 0])
      guard copy >= 0 else { return nil }
      guard copy == 0 else { return OpenerChannel(socket: ends[1]) }
      var opener = FileOpener(decoder: ends[0], decoderID: decoderID)
      opener.run()
    }

    private init(decoder: Int32, decoderID: pid_t) {
      (self.decoder, self.decoderID) = (decoder, decoderID)
      thumbnails = ThumbnailCache()
      terminalFiles = TerminalFiles(decoderID: decoderID)
    }

    private mutating func run() -> Never {
      // A decoder that a file has taken over could keep this thread waiting while the browser ends.
      guard watch_parent(decoderID, decoder) != 0 else { exit(EXIT_FAILURE) }
      var message = OpenerMessage()
      while Self.wait(for: decoder, unlessEnded: 0),
        withUnsafeMutableBytes(of: &message, { OpenerChannel.fill($0, from: decoder) })
      {
        guard message.isAboutThumbnail ? storeThumbnail(message) : passOnRequest() else { break }
      }
      terminalFiles.end()
      shutdown(decoder, Int32(SHUT_WR))
      end_parent(decoderID, decoder)
      exit(EXIT_SUCCESS)
    }

    /// Stores the thumbnail whose pixels follow. Returns false if the decoder has ended, or makes no sense.
    private mutating func storeThumbnail(_ message: OpenerMessage) -> Bool {
      let sides = 1...ThumbnailCache.box
      guard sides.contains(message.thumbnail.width), sides.contains(message.thumbnail.height) else { return false }
      let pixels = Pixels(message.thumbnail)
      guard OpenerChannel.fill(UnsafeMutableRawBufferPointer(pixels.words), from: decoder) else { return false }
      if let (path, status) = current { thumbnails?.store(pixels, of: path, status, message.image) }
      current = nil
      return [UInt8(0)].withUnsafeBytes { RequestChannel.write($0, to: decoder) }
    }

    /// Opens the file of the next request. If it cannot be opened, the browser has its answer from here.
    private mutating func passOnRequest() -> Bool {
      terminalFiles.finish()
      while let request = try? requests.next(wait: { [decoder] in Self.wait(for: 0, unlessEnded: decoder) }) {
        do throws(ImageFault) {
          return send(request, photo: try ImageFile.open(request.path))
        } catch {
          let answer = RenditionAnswer(number: request.number, content: .failure(error))
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

    private mutating func send(_ request: RenditionRequest, photo: Int32) -> Bool {
      var status = stat()
      current = fstat(photo, &status) == 0 ? (request.path, status) : nil
      let files = RequestFiles(
        photo: photo, thumbnails: thumbnails?.open(for: request.path) ?? [],
        terminalFile: terminalFiles.open(for: request))
      defer { files.close() }
      return OpenerChannel(socket: decoder).send(request, files)
    }
  }
#endif
