import Foundation
import Gallery
import TestLimit
import Testing

/// What becomes of files that several programs write in the same instant. ``AtomicFile`` asks about a file at its path, and again
/// when it has taken it from there; so the other program writes when it is asked.
@Suite(.limited) final class AtomicFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var file: FilePath { FilePath(folder + "/file") }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("old")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file as most programs do, by renaming another one.
  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file.printable), options: .atomic)
  }

  private func text(_ path: FilePath) -> String? {
    FileManager.default.contents(atPath: path.printable).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The contents of all files in the folder.
  private func all() throws -> [String: String?] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, text(FilePath(folder + "/" + $0))) })
  }

  /// Replaces the file if it is the old one, or deletes it. After the first and the second look at it, another program does something.
  private func change(
    isDeletion: Bool = false, otherwise other: ((Int) -> FilePath)? = nil, first: @escaping () throws -> Void = {},
    second: @escaping () throws -> Void = {}
  ) throws -> Bool {
    let file = file
    func isCurrent(_ path: FilePath) -> Bool {
      let isCurrent = text(path) == "old"
      try? path == file ? first() : second()
      return isCurrent
    }
    if isDeletion { return try AtomicFile.delete(file, otherwise: other, if: isCurrent) }
    return try AtomicFile.replace(file, if: .current(isCurrent)) { try $0(Array("new".utf8)) }
  }

  @Test func aFileIsReplacedOrDeleted() throws {
    #expect(try change())
    #expect(try all() == ["file": "new"])
    #expect(try !change())
    try write("old")
    #expect(try change(isDeletion: true))
    #expect(try all() == [:])
    #expect(try !change())
    #expect(try !change(isDeletion: true))
  }

  @Test(arguments: [false, true]) func aVersionOfTheSameInstantIsPutBack(isDeletion: Bool) throws {
    #expect(try !change(isDeletion: isDeletion, first: { try self.write("theirs") }))
    #expect(try all() == ["file": "theirs"])
  }

  /// A photo is no version of the one that takes its place.
  @Test func anotherFileGetsAnotherNameIfItsPlaceIsFilled() throws {
    let folder = FilePath(folder)
    #expect(
      try !change(
        isDeletion: true, otherwise: { folder.appending("other-\($0)".utf8) }, first: { try self.write("theirs") },
        second: {
          try self.write("newest")
          try Data("third".utf8).write(to: URL(filePath: self.folder + "/other-2"))
        }))
    #expect(try all() == ["file": "newest", "other-2": "third", "other-3": "theirs"])
  }

  @Test(arguments: [false, true]) func theNewestOfTwoVersionsOfTheSameInstantStays(isDeletion: Bool) throws {
    #expect(
      try !change(isDeletion: isDeletion, first: { try self.write("theirs") }, second: { try self.write("newest") }))
    #expect(try all() == ["file": "newest"])
  }

  /// A program that writes in place has written the old file, and then opens the new one, before the old one is back.
  @Test func aChangeOfTheReplacementInTheSameInstantStays() throws {
    let url = URL(filePath: file.printable)
    let isReplaced = try change(
      first: { try Data("theirs".utf8).write(to: url) }, second: { try Data("newest".utf8).write(to: url) })
    #expect(!isReplaced)
    #expect(try all() == ["file": "newest"])
  }

  @Test(arguments: [false, true]) func aFileThatIsDeletedInTheSameInstantIsNotMadeAgain(isDeletion: Bool) throws {
    let file = file
    #expect(try !change(isDeletion: isDeletion, first: { unlink(file.printable) }))
    #expect(try all() == [:])
  }

  @Test func aVersionWhoseReplacementIsDeletedInTheSameInstantStays() throws {
    let file = file
    #expect(try !change(first: { try self.write("theirs") }, second: { unlink(file.printable) }))
    #expect(try all() == ["file": "theirs"])
  }

  @Test func aFileOfTheSameInstantIsNotReplacedByANewOne() throws {
    unlink(file.printable)
    func sync(_ descriptor: Int32) -> Int32 {
      try? write("theirs")
      return fsync(descriptor)
    }
    let isWritten = try AtomicFile.replace(file, sync: sync, if: .missing) { try $0(Array("new".utf8)) }
    #expect(!isWritten)
    #expect(try all() == ["file": "theirs"])
  }
}

extension AtomicFileTests {
  private static let list = "system.posix_acl_access"
  private static let defaultList = "system.posix_acl_default"

  /// An access control list (linux/posix_acl_xattr.h) by which also the user 1234 can read and write the file.
  private static var accessControlList: [UInt8] {
    let nobody = UInt32.max
    let entries: [(tag: UInt16, rights: UInt16, user: UInt32)] = [
      (0x01, 6, nobody), (0x02, 6, 1234), (0x04, 4, nobody), (0x10, 6, nobody), (0x20, 0, nobody),
    ]
    return withUnsafeBytes(of: UInt32(2).littleEndian, Array.init)
      + entries.flatMap { entry in
        withUnsafeBytes(of: entry.tag.littleEndian, Array.init)
          + withUnsafeBytes(of: entry.rights.littleEndian, Array.init)
          + withUnsafeBytes(of: entry.user.littleEndian, Array.init)
      }
  }

  // These calls of the system are not available in Swift.
  private typealias SetAttribute =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
    ) -> Int32
  private typealias GetAttribute =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
    ) -> Int

  private static func function<Function>(_ name: String, _: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: Function.self)
  }

  private func set(_ attribute: String, _ value: [UInt8], of path: String) -> Bool {
    Self.function("setxattr", SetAttribute.self)(path, attribute, value, value.count, 0) == 0
  }

  private func attribute(_ name: String) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: 256)
    let count = Self.function("getxattr", GetAttribute.self)(file.printable, name, &value, value.count)
    return count < 0 ? nil : Array(value[..<count])
  }

  private var mode: mode_t {
    var status = stat()
    stat(file.printable, &status)
    return status.st_mode & 0o7777
  }

  @Test func attributesAreKept() throws {
    try #require(set("user.origin", [1, 2, 3], of: file.printable), "The file system has no attributes.")
    chmod(file.printable, 0o640)
    let hasList = set(Self.list, Self.accessControlList, of: file.printable)
    let before = mode
    #expect(try change())
    #expect(attribute("user.origin") == [1, 2, 3])
    #expect(attribute(Self.list) == (hasList ? Self.accessControlList : nil))
    #expect(mode == before)
  }

  /// Otherwise, more users could read the file than before.
  @Test func aFileWithoutAnAccessControlListGetsNone() throws {
    chmod(file.printable, 0o600)
    guard set(Self.defaultList, Self.accessControlList, of: folder) else { return }
    #expect(try change())
    #expect(attribute(Self.list) == nil)
    #expect(mode == 0o600)
    // A new file gets that of its folder.
    unlink(file.printable)
    try AtomicFile.replace(file, if: .missing) { try $0([]) }
    #expect(attribute(Self.list) != nil)
  }

  /// A hard link may be a backup.
  @Test func otherNamesOfTheFileKeepItsContent() throws {
    link(file.printable, folder + "/backup")
    #expect(try change())
    #expect(try all() == ["file": "new", "backup": "old"])
  }
}
