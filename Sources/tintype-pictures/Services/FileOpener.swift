#if Pictures
  import CConfinement
  import Gallery
  import Glibc
  import ImageWire
  import Metadata

  /// The process that opens files for a decoder, which has no right to do that itself.
  ///
  /// It is the decoder's only child. It reads the browser's requests, opens what a request needs, and passes the request and
  /// the descriptors on to the decoder, which answers the browser directly. It never reads what is in an image: a decoder that
  /// a hostile file has taken over can ask it for the next request and for a thumbnail of the current file, and for nothing
  /// else.
  struct FileOpener {
    /// The socket to the decoder.
    private let decoder: Int32
    private let thumbnails: ThumbnailCache?
    private var terminalFiles: TerminalFiles
    private var requests = RequestReader<RenditionRequest>()
    /// The file that the decoder is working on.
    private var current: FilePath?

    /// The longest thumbnail, in bytes. One that is not compressed is smaller.
    private static let longestThumbnail = 1 << 20

    /// Starts the opener of this process. Returns the decoder's end of the socket between them, or nil if the system does not
    /// allow a further process.
    static func start() -> OpenerChannel? {
      ignore_terminal()
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
      self.decoder = decoder
      thumbnails = ThumbnailCache()
      terminalFiles = TerminalFiles(decoderID: decoderID)
    }

    private mutating func run() -> Never {
      while let thumbnail = nextThumbnail() {
        if thumbnail.isEmpty {
          guard passOnRequest() else { break }
        } else {
          if let current { thumbnails?.store(thumbnail, for: current) }
          guard acknowledge() else { break }
        }
      }
      terminalFiles.end()
      exit(EXIT_SUCCESS)
    }

    /// Waits for a message from the decoder: a thumbnail of the current file, or no bytes for the next request. Returns nil
    /// when the decoder has ended.
    private func nextThumbnail() -> [UInt8]? {
      var count: UInt32 = 0
      guard withUnsafeMutableBytes(of: &count, { OpenerChannel.fill($0, from: decoder) }),
        count <= Self.longestThumbnail
      else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(count))
      return bytes.withUnsafeMutableBytes { OpenerChannel.fill($0, from: decoder) } ? bytes : nil
    }

    private func acknowledge() -> Bool { [UInt8(0)].withUnsafeBytes { RequestChannel.write($0, to: decoder) } }

    /// Opens the file of the next request. If it cannot be opened, the browser has its answer from here.
    private mutating func passOnRequest() -> Bool {
      terminalFiles.finish()
      while let request = try? requests.next(wait: { [decoder] in Self.waitForBrowser(unlessEnded: decoder) }) {
        do throws(ImageFault) {
          return send(request, photo: try ImageFile.open(request.path))
        } catch {
          let answer = RenditionAnswer(number: request.number, content: .failure(error))
          guard RequestChannel.send(answer) else { return false }
        }
      }
      return false
    }

    /// Waits until the browser sends something. Returns false if the decoder ends first.
    private static func waitForBrowser(unlessEnded decoder: Int32) -> Bool {
      var ends = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: decoder, events: Int16(POLLIN), revents: 0),
      ]
      while poll(&ends, nfds_t(ends.count), -1) < 0, errno == EINTR {}
      return ends[1].revents == 0
    }

    private mutating func send(_ request: RenditionRequest, photo: Int32) -> Bool {
      current = request.path
      let files = RequestFiles(
        photo: photo, thumbnails: thumbnails?.open(for: request.path) ?? [],
        terminalFile: terminalFiles.open(for: request))
      defer { files.close() }
      return OpenerChannel(socket: decoder).send(request, files)
    }
  }
#endif
