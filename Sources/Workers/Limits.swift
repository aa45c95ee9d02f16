import CConfinement

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The limits within which a worker treats a file.
public enum Limits {
  /// The most memory that the process may usually have, in bytes.
  public static let memory = 1 << 30
  /// The most processor time that a file may take on one processor, in seconds.
  private static let processorSeconds: UInt32 = 10
  /// The most time that may pass until a file is done, in seconds. A file system that hangs takes no processor time, and a
  /// busy machine gives little of it.
  public static let seconds: UInt32 = 60

  /// Limits the memory and the rights of this process for good.
  ///
  /// - Parameters:
  ///   - paths: The files and folders that it can still open, for reading only.
  ///   - memory: The most memory in bytes.
  /// - Returns: The rights that the kernel has taken.
  @discardableResult public static func confine(reading paths: [String], memory: Int = memory) -> Confinement {
    CConfinement.confine(memory)
    let names = paths.map { strdup($0) }
    defer { for name in names { free(name) } }
    let version = (names.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { confine_files($0.baseAddress) }
    return Confinement(landlockVersion: Int(version), hasSeccomp: confine_calls() != 0)
  }

  /// Limits this process to reading files, as the reader of metadata needs, which opens thousands in a second.
  ///
  /// It decodes no image, and its readers are in Swift, which checks every access; zlib alone, which unpacks texts of PNGs, is
  /// not. Devices, such as other terminals, stay closed, and what the kernel shows of other processes.
  @discardableResult public static func confineReader() -> Confinement {
    let closed = [".", "..", "dev", "proc", "sys"]
    return confine(reading: names(in: "/").filter { !closed.contains($0) }.map { "/" + $0 } + ["/dev/shm"])
  }

  /// Returns the names in a folder; none if it can't be read.
  public static func names(in folder: String) -> [String] {
    guard let folder = opendir(folder) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  /// Ends this process if the next file takes too long.
  public static func start(processors: UInt32 = 1) { limit_time(processorSeconds * processors, seconds) }

  /// Ends this process if the next file takes more seconds, of the processor or by the clock.
  public static func start(seconds: UInt32) { limit_time(seconds, seconds) }

  /// Lifts the limit on the time.
  public static func lift() { limit_time(0, 0) }
}
