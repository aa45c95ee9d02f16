// The words for files that are written: the store, catalogs and other files.

extension StoreProblem {
  /// Printable sentences that say what is lost, why, and what the user can do.
  public var message: String {
    if let path, let setAside {
      let name = setAside.split(separator: "/").last.map { String($0).printable } ?? ""
      return localized(
        """
        \(contents.noun) were reset. \(path.printable) was damaged and is kept next to it as \(name). \
        If you have a backup, quit and restore it.
        """)
    }
    let clause = fault.clause.printable
    let cause = path.map { localized("\($0.printable) can't be used: \(clause)") } ?? clause
    let sentence = "\(cause.prefix(1).uppercased())\(cause.dropFirst())."
    return localized("\(contents.noun) will not be kept after you quit. \(sentence)")
  }
}

extension StoreProblem.Contents {
  /// The contents as the beginning of a sentence.
  fileprivate var noun: String {
    switch self {
    case .state: localized("Follows, basket, searches and marks")
    case .guestbook: localized("Guestbook entries")
    case .journal: localized("Steps to undo")
    case .other: localized("Changes")
    }
  }
}

extension StoreFault {
  /// The fault and what the user can do about it, as the end of a sentence.
  var clause: String {
    switch self {
    case .noPlace: localized("HOME is not an absolute path; set it to your home folder")
    case .noFolder: localized("its folder can't be created; check the permissions above it")
    case .damaged: localized("it is damaged; move it away to start with a new one")
    case .newer: localized("a newer version of Tintype wrote it; use that version")
    case .unopenable: localized("it can't be opened; check its permissions")
    case .readOnly: localized("it is read-only; make it and its folder writable")
    case .full: localized("the disk is full; free some space")
    case .held: localized("another program is using it; close that program")
    case .other(let reason): reason
    }
  }
}

extension WriteFault {
  var clause: String {
    switch self {
    case .system(let reason): reason
    case .noFile(let folder, let reason): "\(folder): \(reason)"
    case .noRoom(let folder): localized("\(folder): there is no space left, or it is not writable")
    case .cannotReadBack(let path): localized("\(path) can't be read back")
    }
  }
}

extension ExportError {
  /// Printable sentences that say what happened and what the user can do.
  public var message: String {
    switch self {
    case .alreadyExists(let path): localized("\(path.printable) already exists. Choose another name.")
    case .notAFile(let path): localized("\(path.printable) is not a file. Choose another name.")
    case .notACatalog(let path):
      localized("\(path.printable) is not a catalog, so it was not overwritten. Choose another name.")
    case .noFolder(let path): localized("There is no folder \(path.printable). Create it, or choose another one.")
    case .stopped: localized("Stopped. Nothing was written.")
    case .failed(let stage, let path, let reason):
      localized(
        """
        \(path.printable) was not changed: \(stage.clause) (\(reason)). Check the folder's permissions and the free space.
        """)
    case .other(let path, let description): localized("Can't write \(path.printable) (\(description)).")
    }
  }
}

extension SkippedPhoto {
  /// A sentence that says why the photo is left out, and what the user can do.
  public var reason: String {
    switch fault {
    case .nameIsNotUTF8: localized("Its name is not UTF-8, which JSON requires. Rename it.")
    }
  }
}

extension AtomicFile.Stage {
  /// The failure of the stage as a clause.
  public var clause: String {
    switch self {
    case .follow: localized("following the link failed")
    case .create: localized("creating a file next to it failed")
    case .write: localized("writing failed")
    case .flush: localized("flushing it to the disk failed")
    case .replace: localized("replacing it failed")
    }
  }
}
