import Foundation
import GRDB
import Gallery

extension StoreFault {
  /// Creates the fault that an error of GRDB, of SQLite or of the file system means.
  init(_ error: any Error) {
    self =
      switch error {
      case let fault as StoreFault: fault
      case let error as DatabaseError: StoreFault(error)
      case let error as CocoaError: StoreFault(error)
      case is RowDecodingError: .damaged
      default: .other(reason: "\(error)")
      }
  }

  private init(_ error: CocoaError) {
    switch (error.underlying as? POSIXError)?.code {
    case .EACCES, .EPERM, .EROFS: self = .readOnly
    case .ENOSPC, .EDQUOT: self = .full
    default: self = error.code == .fileWriteNoPermission ? .readOnly : .noFolder
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
      default: .other(reason: error.message ?? "\(error.resultCode)")
      }
  }
}
