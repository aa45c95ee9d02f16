#if DEBUG
  import CConfinement
  import CSystem
  import Gallery
  import ImageWire
  import Workers

  #if canImport(Glibc)
    import Glibc
  #else
    import Darwin
  #endif

  /// The acts of a worker that a hostile file has taken over. The tests run them, and no release has them.
  enum Attempts {
    /// Decodes images, tries everything, and prints a line for each attempt: its name, and `done` or the system's error.
    ///
    /// - Parameter arguments: The rights of the process: those of a `decoder`, an `exporter` or a `reader` of metadata, those in a
    ///   user `namespace`, or `all`; a folder with the files `secret` and `photo.jpg`; the path of a socket on which the parent
    ///   listens; and images, which an exporter exports instead. The word `stay` means a process that goes on for a minute, and the next one what it does before.
    static func run(_ arguments: ArraySlice<String>) {
      let words = Array(arguments)
      if words.first == "stay" { stay(after: words.dropFirst().first) }
      guard words.count >= 3 else { exit(EXIT_FAILURE) }
      let photo = open(words[1] + "/photo.jpg", O_RDONLY | O_CLOEXEC)
      let images = words.dropFirst(3).map { OpenImage($0, export: words[0] == "exporter" ? words[1] + "/export" : nil) }
      if words[0] == "decoder" { Limits.confineDecoder() }
      if words[0] == "exporter" { Limits.confineDecoder(memory: ExportRequest.mostMemory) }
      if words[0] == "reader" { Limits.confineReader() }
      if words[0] == "namespace", enter_namespace(nil) == 0 { exit(EXIT_FAILURE) }
      let renderer = Renderer()
      let decoding = images.map { image in ("decode \(image.request.path.printable)", { image.isDecoded(by: renderer) })
      }
      for (name, attempt) in decoding + files(words[1]) + descriptors(photo) + sockets(words[2]) + processes(getppid())
      {
        errno = 0
        print(name, attempt() ? "done" : String(cString: strerror(errno)), separator: ": ")
      }
      tryFurther(photo, words[1])
      // In a namespace, the other attempts would be refused for want of privileges. A process with threads can't enter one (EINVAL).
      errno = 0
      let enters = enter_namespace(nil) != 0 || errno == EINVAL
      print("enter a namespace", enters ? "done" : String(cString: strerror(errno)), separator: ": ")
      fflush(nil)
      let name = "become another program"
      replace(by: ["/bin/echo", "\(name): done"])
      print(name, String(cString: strerror(errno)), separator: ": ")
    }

    /// Makes the attempts that are written in C, because many of their calls are not available in Swift.
    private static func tryFurther(_ photo: Int32, _ folder: String) {
      var (number, result): (Int32, Int32) = (0, -1)
      while let name = try_further(number, photo, getppid(), folder, &result) {
        print(String(cString: name), result >= 0 ? "done" : String(cString: strerror(errno)), separator: ": ")
        number += 1
      }
    }

    private static func stay(after action: String?) -> Never {
      if action == "read metadata" {
        guard start_guard() != 0 else { exit(EXIT_FAILURE) }
        Limits.confineReader()
        reportReady()
      } else {
        guard let opener = FileOpener.start() else { exit(EXIT_FAILURE) }
        Limits.confineDecoder()
        if action == "ask for requests" { send(OpenerMessage(), to: opener) }
        if action == "begin a thumbnail" { beginThumbnail(opener) }
        reportReady()
        // The opener kills a process that leaves it at once, so nothing can be reported after that.
        if action == "leave its opener" { close(opener.socket) }
      }
      sleep(60)
      exit(EXIT_SUCCESS)
    }

    private static func beginThumbnail(_ opener: OpenerChannel) {
      let pixels = Pixels(PixelSize(ThumbnailCache.box, ThumbnailCache.box))
      send(OpenerMessage(thumbnail: pixels.size, image: pixels.size, number: 0), to: opener)
      // It is longer than the buffer of a socket, so the opener is reading it now.
      _ = RequestChannel.writeAll(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pixels.words).dropLast()), to: opener.socket)
    }

    private static func reportReady() {
      print("ready")
      fflush(nil)
    }

    private static func send(_ message: OpenerMessage, to opener: OpenerChannel) {
      _ = withUnsafeBytes(of: message) { RequestChannel.writeAll($0, to: opener.socket) }
    }

    private typealias Attempt = (name: String, run: () -> Bool)

    /// An image that was opened before the process lost its rights, or an entry of an archive.
    private struct OpenImage {
      private(set) var request: ImageRequest
      private let files: RequestFiles

      /// - Parameter export: The path of the new file that the image is exported to; nil if it is shown.
      init(_ path: String, export: String?) {
        let path = FilePath(path)
        let screen = RenditionScreen(format: .symbols(.truecolor, .blocks), cellWidth: 8, cellHeight: 16)
        let specification = RenditionSpecification(.file(path), columns: 8, rows: 4, on: screen)
        request = ImageRequest(number: 1, path: path, job: .show(RenditionRequest(specification, .once)))
        var files = RequestFiles(photo: path.withCString { open($0, O_RDONLY | O_CLOEXEC) })
        if let (archive, entryCount) = path.archive {
          files.photo = archive.withCString { open($0, O_RDONLY | O_CLOEXEC) }
          files.memory = create_memory_file()
          request.entryCount = entryCount
        }
        if let export {
          files.output = open(export, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
          let metadata = MetadataRecord(PhotoMetadata())
          request.job = .export(
            ExportRequest(ExportSpecification(), metadata: metadata, destination: FilePath(export)))
        }
        self.files = files
      }

      func isDecoded(by renderer: Renderer) -> Bool {
        defer { renderer.finish() }
        switch renderer.answer(request, files).content {
        case .cells, .exported: return true
        default: return false
        }
      }
    }

    private static func files(_ folder: String) -> [Attempt] {
      let secret = folder + "/secret"
      return [
        ("read a key", { isOpen(secret, O_RDONLY) }),
        ("read a photo by its path", { isOpen(folder + "/photo.jpg", O_RDONLY) }),
        ("read the list of users", { isOpen("/etc/passwd", O_RDONLY) }),
        ("list a folder", { opendir(folder) != nil }),
        ("open a device", { isOpen("/dev/null", O_RDONLY) }),
        ("open a file for writing", { isOpen(secret, O_WRONLY) }),
        ("cut off a file", { truncate(secret, 1) == 0 }),
        ("change the rights of a file", { chmod(secret, 0o644) == 0 }),
        ("make a file", { isOpen(folder + "/made", O_WRONLY | O_CREAT) }),
        ("make a folder", { mkdir(folder + "/folder", 0o700) == 0 }),
        ("make a link", { symlink(secret, folder + "/link") == 0 }),
        ("rename a file", { rename(folder + "/made", folder + "/renamed") == 0 }),
        ("delete a file", { unlink(folder + "/renamed") == 0 }),
        ("make shared memory", { isOpen("/dev/shm/tintype-attempt", O_RDWR | O_CREAT) }),
        ("delete shared memory", { unlink("/dev/shm/tintype-attempt") == 0 }),
      ]
    }

    private static func isOpen(_ path: String, _ flags: Int32) -> Bool { open(path, flags | O_CLOEXEC, 0o600) >= 0 }

    /// - Parameter photo: A photo that was open before the process lost its rights, as a decoder gets it.
    private static func descriptors(_ photo: Int32) -> [Attempt] {
      [
        ("open the photo for writing", { isOpen("/proc/self/fd/\(photo)", O_WRONLY) }),
        ("change the rights of the photo", { fchmod(photo, 0o644) == 0 }),
        // Another command of this call types into the terminal.
        (
          "control a device",
          {
            var count: Int32 = 0
            return ioctl(STDOUT_FILENO, UInt(FIONREAD), &count) == 0
          }
        ),
        ("have a signal sent", { fcntl(photo, F_SETOWN, getppid()) == 0 }),
      ]
    }

    private static func sockets(_ path: String) -> [Attempt] {
      [
        ("make a socket of the network", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        ("connect to a server", { isConnected(path) }),
      ]
    }

    private static func isConnected(_ path: String) -> Bool {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    }

    private static func processes(_ parent: pid_t) -> [Attempt] {
      [
        ("signal the parent", { kill(parent, 0) == 0 }),
        ("signal the group", { kill(0, 0) == 0 }),
        ("read a process's environment", { isOpen("/proc/\(parent)/environ", O_RDONLY) }),
        ("open a process's memory", { isOpen("/proc/\(parent)/mem", O_RDONLY) }),
        ("copy a process's memory", { copy_memory(parent) == 0 }),
        ("start a process", { isForked() }),
        ("start a program", { isStarted("/bin/true") }),
      ]
    }

    private static func isForked() -> Bool {
      let copy = fork_process()
      if copy == 0 { _exit(EXIT_SUCCESS) }
      return copy > 0
    }

    private static func isStarted(_ path: String) -> Bool {
      var process: pid_t = 0
      errno = withWords([path]) { posix_spawn(&process, path, nil, nil, $0, nil) }
      return errno == 0
    }

    private static func replace(by words: [String]) { _ = withWords(words) { execv(words[0], $0) } }

    private static func withWords(_ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32) -> Int32 {
      let words = words.map { strdup($0) }
      defer { for word in words { free(word) } }
      return body(words + [nil])
    }
  }
#endif
