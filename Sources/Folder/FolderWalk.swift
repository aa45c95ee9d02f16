import Foundation
import Gallery
import Photos

/// A walk through folders and their subfolders, which finds photos by their names alone.
///
/// A photo that the user named is found at its place among the named paths, and is the only file that may be opened, if its
/// name says nothing. Other files with such names are returned beside the photos. Hidden files and folders are skipped, and
/// so are those that ``IgnoreRules`` leave out. Folders behind symbolic links come after all others. No folder is read
/// twice, so circular links come to an end. Within a folder, names are in the order of their bytes. The photos of a
/// folder come before those of its subfolders.
///
/// Reading folders blocks, so walk in a task outside the main actor.
public struct FolderWalk {
  /// The photos of one folder, or one photo that the user named.
  public struct Batch: Sendable {
    /// The path of the folder.
    public let folder: FilePath
    /// The photos that are shown, in the order of their names.
    public var photos: FoundPhotos
    /// The files that are photos if their contents are, in the order of their names.
    var unclear: FoundPhotos
    /// The reason why the folder, or the rest of it, could not be read.
    public var failure: APIError?
    /// The ignore rules that apply in the folder.
    var rules = IgnoreRules()

    init(folder: FilePath, photos: FoundPhotos? = nil, failure: APIError? = nil) {
      self.folder = folder
      self.photos = photos ?? FoundPhotos(in: folder)
      self.failure = failure
      unclear = FoundPhotos(in: folder)
    }
  }

  private struct Folder {
    let path: FilePath
    var rules = IgnoreRules()
    /// Whether the user named the path. It may be that of a file.
    var isNamed = false
  }

  private struct Identity: Hashable {
    let device: dev_t
    let file: ino_t
  }

  /// The folders to read. The last one is next.
  private var ahead: [Folder]
  private var links: [Folder] = []
  private var seen: Set<Identity> = []
  private let photo: FilePath?
  private let keepsMissing: Bool
  private let willRead: (FilePath) -> Void

  /// Creates a walk.
  /// - Parameters:
  ///   - paths: The absolute paths of folders and photos.
  ///   - photo: The photo of which `paths` has the folder, if subfolders are not read. It is found under any name.
  ///   - keepsMissing: Whether named photos are found even if they are missing.
  ///   - willRead: Called with each folder before it is read. A watch that starts then misses no change.
  public init(
    _ paths: [FilePath], around photo: FilePath? = nil, keepsMissing: Bool = false,
    willRead: @escaping (FilePath) -> Void = { _ in }
  ) {
    self.keepsMissing = keepsMissing
    ahead = paths.reversed().map { Folder(path: $0, isNamed: true) }
    self.photo = photo
    self.willRead = willRead
  }

  /// Returns whether a file that the user names is taken for a photo, by its name or its contents.
  public static func isPhoto(_ path: FilePath) -> Bool { PhotoName.isPhoto(path.name) || ImageFormat(of: path) != nil }

  static let ignoreName = Array(".tintypeignore".utf8)
  /// The most bytes of an ignore file that are read.
  private static let longestIgnoreFile = 1 << 20
}

extension FolderWalk: Sequence, IteratorProtocol {
  /// Returns the photos of the next folder, or nil when all folders have been read.
  public mutating func next() -> Batch? {
    while let folder = ahead.popLast() ?? links.popLast() {
      let descriptor = folder.path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0, let stream = fdopendir(descriptor) else {
        let failure = errno
        if descriptor >= 0 { close(descriptor) }
        if failure == ENOTDIR, folder.isNamed { return file(folder.path) }
        // The folder of a missing photo may be missing, too, or be readable no longer.
        if keepsMissing, folder.isNamed {
          return Batch(folder: folder.path.folder, photos: FoundPhotos(FoundPhoto(at: folder.path)))
        }
        // Files can be opened in a folder whose names can't be read.
        let known = failure == EACCES ? photo.map { FoundPhotos(FoundPhoto(at: $0)) } : nil
        return Batch(folder: folder.path, photos: known, failure: Self.error(failure, folder.path))
      }
      defer { closedir(stream) }
      var status = stat()
      guard fstat(descriptor, &status) == 0,
        seen.insert(Identity(device: status.st_dev, file: status.st_ino)).inserted
      else { continue }
      willRead(folder.path)
      return read(stream, descriptor, of: folder)
    }
    return nil
  }

  private func file(_ path: FilePath) -> Batch {
    guard Self.isPhoto(path) else {
      return Batch(
        folder: path, failure: .unreadableContent(source: path.printable, .notAnImage))
    }
    willRead(path.folder)
    return Batch(folder: path.folder, photos: FoundPhotos(FoundPhoto(at: path)))
  }

  private mutating func read(_ stream: OpaquePointer, _ descriptor: Int32, of folder: Folder) -> Batch {
    var batch = Batch(folder: folder.path)
    var (names, folders, linked, sidecars) = (FileNames(), FileNames(), FileNames(), Set<[UInt8]>())
    var unclear = FileNames()
    errno = 0
    while let entry = readdir(stream) {
      let name = Self.name(entry)
      let isNamed = photo?.name.elementsEqual(name) ?? false
      if name.first == UInt8(ascii: "."), !isNamed { continue }
      switch Self.kind(entry, descriptor) {
      case .folder: if photo == nil { folders.append(name) }
      case .linkToFolder: if photo == nil { linked.append(name) }
      case .file where isNamed || PhotoName.isPhoto(name): names.append(name)
      case .file where PhotoName.isSidecar(name): sidecars.insert(Array(name))
      case .file where PhotoName.saysNothing(name): unclear.append(name)
      case .file, .other: break
      }
      errno = 0
    }
    if errno != 0 { batch.failure = Self.error(errno, folder.path) }
    let base = folder.path.appending([]).bytes.count
    let rules = folder.rules.adding(Self.ignoreFile(descriptor), base: base)
    func sort(_ names: inout FileNames, areFolders: Bool) {
      if !rules.isEmpty {
        names.keep { name in
          let path = folder.path.appending(name)
          return path == photo || !rules.leavesOut(path.bytes, isFolder: areFolders)
        }
      }
      names.sort()
    }
    func ahead(_ names: FileNames) -> [Folder] {
      (0..<names.count).reversed().map { Folder(path: folder.path.appending(names[$0]), rules: rules) }
    }
    sort(&names, areFolders: false)
    sort(&unclear, areFolders: false)
    sort(&folders, areFolders: true)
    sort(&linked, areFolders: true)
    batch.rules = rules
    batch.photos = FoundPhotos(names, in: folder.path, sidecars: sidecars)
    batch.unclear = FoundPhotos(unclear, in: folder.path, sidecars: sidecars)
    self.ahead += ahead(folders)
    links = ahead(linked) + links
    return batch
  }

  private enum Kind {
    case folder, linkToFolder, file, other
  }

  private static func kind(_ entry: UnsafeMutablePointer<dirent>, _ descriptor: Int32) -> Kind {
    switch Int(entry.pointee.d_type) {
    case Int(DT_DIR): return .folder
    case Int(DT_REG): return .file
    case Int(DT_LNK), Int(DT_UNKNOWN): break
    default: return .other
    }
    let isLink = Int(entry.pointee.d_type) == Int(DT_LNK)
    var status = stat()
    let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
    // A broken link stays in the list, where its problem is reported.
    guard fstatat(descriptor, name.assumingMemoryBound(to: CChar.self), &status, 0) == 0 else { return .file }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return isLink ? .linkToFolder : .folder
    case S_IFREG: return .file
    default: return .other
    }
  }

  /// Returns the name of an entry, which is there until the next one is read.
  static func name(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
    let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
    let count = strlen(name.assumingMemoryBound(to: CChar.self))
    return UnsafeBufferPointer(start: name.assumingMemoryBound(to: UInt8.self), count: count)
  }

  private static func ignoreFile(_ folder: Int32) -> [UInt8] {
    let descriptor = openat(folder, ".tintypeignore", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: longestIgnoreFile) { buffer, count in
      while count < buffer.count {
        let more = Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        guard more > 0 else { return }
        count += more
      }
    }
  }

  private static func error(_ code: Int32, _ path: FilePath) -> APIError {
    switch code {
    case ENOENT, ENOTDIR: .notFound(path: path.printable)
    case EACCES, EPERM: .permissionDenied(subject: path.printable)
    default: .unreadableContent(source: path.printable, .system(reason: String(cString: strerror(code))))
    }
  }
}
