import Foundation
import GRDB
import Gallery

/// Why nothing is kept in a file of the store, or why a new one was begun. The program goes on.
public struct StoreProblem: Hashable, Sendable {
  /// What is lost, as the beginning of a sentence.
  public let contents: String
  /// Nil where there is no place for the file.
  public let path: String?
  /// What is wrong, and what the person can do.
  public let reason: String
  /// Where a file that is damaged is now; nil where it is where it was, and nothing is kept.
  public let setAside: String?

  init(contents: String, path: String?, reason: String, setAside: String? = nil) {
    (self.contents, self.path, self.reason, self.setAside) = (contents, path, reason, setAside)
  }

  /// What the person should know, in printable sentences.
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

/// What is wrong with a file of the store.
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

  /// What is wrong, and what the person can do, for the end of a sentence.
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
