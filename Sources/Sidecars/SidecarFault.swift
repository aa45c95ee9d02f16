import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reason why a sidecar could not be read or written. An old sidecar is unchanged.
public struct SidecarError: Error, Hashable, Sendable {
  /// The path of the sidecar.
  public let path: FilePath
  /// The reason.
  public let fault: SidecarFault

  /// Creates an error.
  public init(_ path: FilePath, _ fault: SidecarFault) {
    self.path = path
    self.fault = fault
  }
}

/// A reason why a sidecar could not be read or written.
public enum SidecarFault: Error, Hashable, Sendable {
  /// A folder, a device or another thing that is not a regular file has the name of the sidecar.
  case notAFile
  /// The sidecar has more bytes than the limit (``SidecarFile/largestSize``).
  case tooLarge
  /// Reading failed. `reason` is the system's.
  case unreadable(reason: String)
  /// The content is not an XMP packet that can be changed safely.
  case damaged(Damage)
  /// The sidecar, its folder or its file system must not be written.
  case readOnly(reason: String)
  /// The disk or the user's quota is full.
  case full(reason: String)
  /// A stage of writing failed for another reason. `reason` is the system's.
  case writing(AtomicFile.Stage, reason: String)
  /// Another program changed the sidecar during each attempt to write it.
  case busy

  /// A defect of the content of a sidecar.
  public enum Damage: Error, Hashable, Sendable {
    /// There is nothing in the file. Another program may be about to write it.
    case empty
    /// The text is neither UTF-8 nor UTF-16.
    case encoding
    /// The text is not well-formed XML, for example because its end is missing.
    case notXML
    /// The XML has a document type declaration. XMP needs none, and its entities could expand without limit.
    case documentType
    /// The XML is nested too deeply, or has too many elements or namespaces.
    case tooComplex
    /// The XML is not XMP, or not XMP that Adobe's toolkit accepts.
    case notXMP
    /// According to Adobe's toolkit, the change would have affected other properties.
    case ambiguous
  }

  /// Whether the other sidecars of the folder can probably not be written, either.
  public var concernsFolder: Bool {
    switch self {
    case .readOnly, .full, .writing: true
    case .notAFile, .tooLarge, .unreadable, .damaged, .busy: false
    }
  }

  init(reading code: Int32) { self = .unreadable(reason: String(cString: strerror(code))) }

  init(_ failure: AtomicFile.Failure) {
    self.init(writing: failure.code, stage: failure.stage)
  }

  init(writing code: Int32, stage: AtomicFile.Stage) {
    let reason = String(cString: strerror(code))
    self =
      switch code {
      case EACCES, EPERM, EROFS: .readOnly(reason: reason)
      case ENOSPC, EDQUOT: .full(reason: reason)
      default: .writing(stage, reason: reason)
      }
  }
}

extension SidecarError {
  /// Printable sentences that say what happened and what the user can do.
  public var message: String {
    let path = path.printable
    return switch fault {
    case .notAFile: localized("\(path) is not a regular file, so it can't be used as a sidecar. Rename it.")
    case .tooLarge: localized("\(path) is larger than 16 MB, so it was not read. Check whether it is a sidecar.")
    case .unreadable(let reason): localized("Can't read \(path) (\(reason.printable)). Check its permissions.")
    case .damaged(.empty): localized("\(path) is empty. If no program is writing it, delete it.")
    case .damaged(let damage):
      localized("\(path) can't be used: \(damage.clause). Restore it from a backup, or move it away.")
    case .readOnly(let reason):
      localized("\(path) can't be written (\(reason.printable)). Make it and its folder writable.")
    case .full(let reason): localized("\(path) was not written (\(reason.printable)). Free some space.")
    case .writing(let stage, let reason):
      localized("\(path) was not written: \(stage.clause) (\(reason.printable)). Check its folder.")
    case .busy: localized("\(path) was not written, because another program keeps changing it. Close that program.")
    }
  }
}

extension SidecarFault.Damage {
  fileprivate var clause: String {
    switch self {
    case .empty: localized("it is empty")
    case .encoding: localized("its text is neither UTF-8 nor UTF-16")
    case .notXML: localized("it is incomplete or is not XML")
    case .documentType: localized("it has a document type declaration, which XMP does not need")
    case .tooComplex: localized("it is nested too deeply or has too many elements")
    case .notXMP: localized("it is not XMP")
    case .ambiguous: localized("a property has several values")
    }
  }
}
