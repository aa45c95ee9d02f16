import Foundation
import GRDB
import Gallery

/// A reason why nothing is stored in a file, or why a new one was created. The program continues.
public struct StoreProblem: Hashable, Sendable {
  /// The lost contents, as the beginning of a sentence.
  public let contents: String
  /// The path of the file, or nil if there is no folder for it.
  public let path: String?
  /// The fault, and what the user can do about it.
  public let reason: String
  /// The new path of a damaged file, or nil if it was not moved and nothing is stored.
  public let setAside: String?

  init(contents: String, path: String?, reason: String, setAside: String? = nil) {
    (self.contents, self.path, self.reason, self.setAside) = (contents, path, reason, setAside)
  }

  /// The message for the user, in printable sentences.
  public var message: String {
    if let path, let setAside {
      let name = setAside.split(separator: "/").last.map { String($0).printable } ?? ""
      return "\(contents) had to be begun anew. \(path.printable) was damaged and is kept beside it as \(name); "
        + "if you have a backup, quit and put that in its place."
    }
    let cause = path.map { "\($0.printable) cannot be used: \(reason.printable)" } ?? reason.printable
    return "\(contents) will not be kept after you quit. \(cause.prefix(1).uppercased() + cause.dropFirst())."
  }
}

/// A fault of a file of the store.
enum StoreFault: Error, Hashable {
  case noPlace, damaged, newer, unopenable, readOnly, full, held
  case other(String)

  init(_ error: any Error) {
    self =
      switch error {
      case let fault as StoreFault: fault
      case let error as DatabaseError: StoreFault(error)
      case let error as CocoaError: StoreFault(error)
      case is RowDecodingError: .damaged
      default: .other("\(error)")
      }
  }

  private init(_ error: CocoaError) {
    switch (error.underlying as? POSIXError)?.code {
    case .EACCES, .EPERM, .EROFS: self = .readOnly
    case .ENOSPC, .EDQUOT: self = .full
    default: self = error.code == .fileWriteNoPermission ? .readOnly : .other("its folder cannot be made")
    }
  }

  private init(_ error: DatabaseError) {
    self =
      switch error.resultCode {
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .unopenable
      case .SQLITE_READONLY: .readOnly
      case .SQLITE_FULL: .full
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged
      case .SQLITE_BUSY, .SQLITE_LOCKED: .held
      default: .other(error.message ?? "\(error.resultCode)")
      }
  }

  /// The fault and what the user can do about it, for the end of a sentence.
  var reason: String {
    switch self {
    case .noPlace: "HOME is not an absolute path; set it to your folder"
    case .damaged: "it is damaged; move it away to begin a new one"
    case .newer: "a newer version of Tintype wrote it; use that one"
    case .unopenable: "it cannot be opened; see to its permissions"
    case .readOnly: "it can only be read; make it and its folder writable"
    case .full: "the disk is full; free some space"
    case .held: "another program holds it; end that one"
    case .other(let reason): "\(reason); mend that"
    }
  }
}
