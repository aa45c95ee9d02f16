import Foundation
import GRDB
import Gallery

/// Why nothing is kept in a file of the store. The program goes on without it.
public struct StoreProblem: Hashable, Sendable {
  public let path: String
  public let reason: String

  /// What the person should know, in a printable sentence.
  public var message: String {
    "Nothing you do will be kept after you quit, and \(path.printable) is left as it is: \(reason.printable)."
  }

  /// Why an open or a write failed, for the end of a sentence.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let fault as StoreFault: fault.reason
    case let error as DatabaseError: reason(error)
    case let error as CocoaError: error.underlying.map { "\($0)" } ?? "its folder cannot be made"
    default: "\(error)"
    }
  }

  private static func reason(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: "it cannot be opened"
    case .SQLITE_READONLY: "it can only be read"
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: StoreFault.damaged.reason
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another program holds it"
    case .SQLITE_IOERR: "the disk failed to read or write it"
    default: error.message ?? "\(error.resultCode)"
    }
  }
}

/// What is wrong with a file that SQLite itself can open.
enum StoreFault: Error {
  case damaged, newer

  var reason: String {
    switch self {
    case .damaged: "it is damaged"
    case .newer: "a newer version of Tintype wrote it"
    }
  }
}
