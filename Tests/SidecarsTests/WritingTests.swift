import Foundation
import Gallery
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Sidecars

@Suite(.limited) struct NamingTests {
  @Test func aNewSidecarIsNamedAsTheCallerWants() throws {
    for (naming, name) in [(SidecarNaming.afterExtension, "a.jpg.xmp"), (.insteadOfExtension, "a.xmp")] {
      let folder = try TestFolder()
      let sidecars = Sidecars(naming: naming)
      #expect(sidecars.path(of: folder.photo) == FilePath(folder.path + "/" + name))
      #expect(try sidecars.decisions(of: folder.photo) == nil)
      #expect(try sidecars.apply(.full, to: folder.photo).path == FilePath(folder.path + "/" + name))
      #expect(try folder.names == ["a.jpg", name])
      #expect(try sidecars.decisions(of: folder.photo) == .full)
    }
  }

  @Test(arguments: [("a", "a.xmp"), (".jpg", ".jpg.xmp"), ("a.b.jpg", "a.b.xmp"), ("a.", "a.xmp")])
  func theExtensionOfAPhotoIsReplaced(photo: String, sidecar: String) {
    #expect(SidecarNaming.insteadOfExtension.path(of: FilePath("/x/" + photo)) == FilePath("/x/" + sidecar))
  }

  @Test(arguments: ["a.xmp", "a.jpg.xmp", "a.XMP", "a.jpg.XMP"])
  func anExistingSidecarIsUpdated(name: String) throws {
    for naming in SidecarNaming.allCases {
      let folder = try TestFolder()
      try folder.write(Sample.digikam.bytes, name)
      try Sidecars(naming: naming).apply(.full, to: folder.photo)
      #expect(try folder.names.sorted() == ["a.jpg", name].sorted())
      #expect(try Sidecars(naming: naming).decisions(of: folder.photo) == .full)
    }
  }

  @Test func theNameWithTheExtensionWinsUnlessItIsDamaged() throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes, "a.xmp")
    try folder.write(Sample.captureone.bytes, "a.jpg.xmp")
    #expect(try Sidecars().decisions(of: folder.photo)?.rating == 3)
    #expect(Sidecars().path(of: folder.photo).name.elementsEqual("a.jpg.xmp".utf8))
    try folder.write([0x3C], "a.jpg.xmp")
    #expect(try Sidecars().decisions(of: folder.photo)?.rating == 4)
    #expect(Sidecars().path(of: folder.photo).name.elementsEqual("a.xmp".utf8))
    try Sidecars().apply(.rating(5), to: folder.photo)
    #expect(try folder.bytes() == [0x3C])
    try folder.write([0x3C], "a.xmp")
    #expect(throws: SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .damaged(.notXML))) {
      try Sidecars().apply(.rating(5), to: folder.photo)
    }
  }
}

@Suite(.limited) struct WritingTests {
  @Test func theDateIsWrittenWithItsOffset() throws {
    let folder = try TestFolder()
    try Sidecars(system: SidecarSystem(now: { 1_700_000_000 })).apply(.rating(1), to: folder.photo)
    let date = try #require(try XMPDocument(folder.bytes()).value(of: .metadataDate)?.text)
    #expect(date.wholeMatch(of: /2023-11-1\dT\d\d:\d\d:20[+-]\d\d:\d\d/) != nil)
    #expect(Timestamp(date)?.seconds == 1_700_000_000)
  }

  @Test func removingWhatAPhotoDoesNotHaveMakesNoSidecar() throws {
    let folder = try TestFolder()
    var change = SidecarChange()
    change[.rating] = .remove
    let result = try Sidecars().apply(change, to: folder.photo)
    #expect(result.decisions == PhotoDecisions() && result.edits.isEmpty && result.inverse.isEmpty)
    #expect(try folder.names == ["a.jpg"])
  }

  @Test func permissionsAndLinksAreKept() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: true)
    try folder.write(Sample.darktable.bytes, "real/target.xmp")
    chmod(folder.path + "/real/target.xmp", 0o640)
    symlink("real/target.xmp", folder.path + "/a.jpg.xmp")
    try Sidecars().apply(.full, to: folder.photo)
    var status = stat()
    #expect(lstat(folder.path + "/a.jpg.xmp", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(folder.path + "/real/target.xmp", &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try XMPDocument(folder.bytes("real/target.xmp")).decisions == .full)
  }

  @Test func aLinkToThePhotoOrToNothingIsLeftAlone() throws {
    let folder = try TestFolder()
    symlink("a.jpg", folder.path + "/a.jpg.xmp")
    #expect(throws: SidecarError.self) { try Sidecars().apply(.full, to: folder.photo) }
    #expect(try folder.bytes("a.jpg") == [0xFF, 0xD8])
    unlink(folder.path + "/a.jpg.xmp")
    symlink("nothing", folder.path + "/a.jpg.xmp")
    #expect(throws: SidecarError.self) { try Sidecars().apply(.full, to: folder.photo) }
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func onlyRegularFilesAreSidecars() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.jpg.xmp"
    let error = SidecarError(FilePath(path), .notAFile)
    mkfifo(path, 0o600)
    #expect(throws: error) { try Sidecars().decisions(of: folder.photo) }
    unlink(path)
    mkdir(path, 0o700)
    #expect(throws: error) { try Sidecars().apply(.full, to: folder.photo) }
  }

  @Test func aChangeByAnotherProgramIsMerged() throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes)
    let count = Mutex(0)
    let (path, photo) = (folder.path, folder.photo)
    let system = SidecarSystem(willReplace: {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return }
      _ = try? Sidecars().apply(.caption("From the other program"), to: FilePath(path + "/a.jpg"))
    })
    let result = try Sidecars(system: system).apply(.rating(1), to: photo)
    #expect(result.decisions.rating == 1 && result.decisions.caption == "From the other program")
    #expect(try Sidecars().decisions(of: photo) == result.decisions)
    #expect(count.withLock { $0 } == 2)
    // The inverse restores only what this change has changed.
    #expect(try Sidecars().apply(result.inverse, to: photo).decisions.caption == "From the other program")
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  /// darktable and other programs write properties as attributes, whose quotation marks end them.
  @Test(arguments: ["To \"print\" & 'frame'", "Two\twords"], ["\"", "'"])
  func anAttributeHoldsAnyCharacter(label: String, mark: String) throws {
    let folder = try TestFolder()
    let content = String(decoding: sidecar(""), as: UTF8.self)
    try folder.write(content.replacing("rdf:about=\"\"", with: "rdf:about=\"\" xmp:Label=\(mark)Red\(mark)").utf8)
    var change = SidecarChange()
    change[.label] = .set(.text(label))
    #expect(try Sidecars().apply(change, to: folder.photo).decisions.label == label)
    #expect(try Sidecars().decisions(of: folder.photo)?.label == label)
    #expect(try String(decoding: folder.bytes(), as: UTF8.self).contains("xmp:Label=\(mark)T"))
  }

  /// An undo deletes the sidecar that the first change has created.
  @Test func aSidecarThatIsChangedBeforeItIsDeletedStays() throws {
    let folder = try TestFolder()
    let photo = folder.photo
    let inverse = try Sidecars().apply(.rating(1), to: photo).inverse
    let count = Mutex(0)
    let system = SidecarSystem(willReplace: {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { _ = try? Sidecars().apply(.caption("From the other program"), to: photo) }
    })
    let result = try Sidecars(system: system).apply(inverse, to: photo)
    #expect(result.decisions == PhotoDecisions(caption: "From the other program"))
    #expect(try Sidecars().decisions(of: photo) == result.decisions)
  }

  @Test func aSidecarThatAppearsMeanwhileIsMerged() throws {
    let folder = try TestFolder()
    let path = folder.path
    let system = SidecarSystem(willReplace: {
      if !FileManager.default.fileExists(atPath: path + "/a.jpg.xmp") {
        try? Data(Sample.digikam.bytes).write(to: URL(filePath: path + "/a.jpg.xmp"))
      }
    })
    #expect(try Sidecars(system: system).apply(.rating(1), to: folder.photo).decisions.orientation == .rotated90)
  }

  @Test func aSidecarThatKeepsChangingIsLeftAlone() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.jpg.xmp"
    let count = Mutex(0)
    @Sendable func content() -> [UInt8] { count.withLock { sidecar("<xmp:Label>\($0)</xmp:Label>") } }
    let system = SidecarSystem(willReplace: {
      count.withLock { $0 += 1 }
      try? Data(content()).write(to: URL(filePath: path))
    })
    #expect(throws: SidecarError(FilePath(path), .busy)) {
      try Sidecars(system: system).apply(.rating(1), to: folder.photo)
    }
    #expect(try folder.bytes() == content())
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  /// At every flush and right before the rename, which are the moments between which the program can be killed, the old
  /// sidecar is complete; after the rename the new one is, and its bytes are on the disk.
  @Test func theSidecarIsCompleteAtEachMoment() throws {
    let folder = try TestFolder()
    try folder.write(Sample.darktable.bytes)
    let moments = Mutex<[(isFolder: Bool?, size: Int, content: Data?)]>([])
    let names = Mutex<[String]>([])
    let (path, photo) = (folder.path + "/a.jpg.xmp", folder.photo)
    let system = SidecarSystem(
      sync: { descriptor in
        var status = stat()
        fstat(descriptor, &status)
        let content = try? Data(contentsOf: URL(filePath: path))
        moments.withLock { $0.append((status.st_mode & S_IFMT == S_IFDIR, Int(status.st_size), content)) }
        let now = try? FileManager.default.contentsOfDirectory(
          atPath: String(decoding: photo.folder.bytes, as: UTF8.self))
        names.withLock { $0 += now ?? [] }
        return fsync(descriptor)
      },
      hasLooked: {
        let content = try? Data(contentsOf: URL(filePath: path))
        moments.withLock { $0.append((nil, 0, content)) }
      })
    try Sidecars(system: system).apply(.full, to: folder.photo)
    let (old, new) = (Data(try Sample.darktable.bytes), Data(try folder.bytes()))
    let seen = moments.withLock { $0 }
    #expect(seen.map(\.isFolder) == [false, nil, true])
    #expect(seen.map(\.content) == [old, old, new])
    #expect(seen.first?.size == new.count)
    // A killed program leaves no temporary file behind.
    #expect(Set(names.withLock { $0 }) == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func aFailedFlushKeepsTheOldSidecar() throws {
    let folder = try TestFolder()
    try folder.write(Sample.darktable.bytes)
    let system = SidecarSystem(sync: { _ in
      errno = EIO
      return -1
    })
    #expect(throws: SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .writing(.flush, reason: "Input/output error")))
    {
      try Sidecars(system: system).apply(.full, to: folder.photo)
    }
    #expect(try folder.bytes() == Sample.darktable.bytes)
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test(.enabled(if: TestFileSystem.canBeMade, "only root can mount a file system"))
  func aFullDiskKeepsTheOldSidecar() throws {
    let system = try #require(TestFileSystem())
    let folder = try TestFolder(in: system.folder)
    try folder.write(Sample.darktable.bytes)
    system.fill()
    #expect(throws: SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .full(reason: "No space left on device"))) {
      try Sidecars().apply(.full, to: folder.photo)
    }
    #expect(try folder.bytes() == Sample.darktable.bytes)
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
    system.makeRoom()
    #expect(try Sidecars().apply(.full, to: folder.photo).decisions == .full)
  }

  @Test(.enabled(if: TestFileSystem.canBeMade, "only root can mount a file system"))
  func aReadOnlyFileSystemIsReported() throws {
    let system = try #require(TestFileSystem())
    let folder = try TestFolder(in: system.folder)
    #expect(system.becomeReadOnly())
    #expect(throws: SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .readOnly(reason: "Read-only file system"))) {
      try Sidecars().apply(.full, to: folder.photo)
    }
  }

  @Test(
    arguments: [
      (.notAFile, "/a.xmp is not a regular file, so it can't be used as a sidecar. Rename it."),
      (.tooLarge, "/a.xmp is larger than 16 MB, so it was not read. Check whether it is a sidecar."),
      (.unreadable(reason: "Permission denied"), "Can't read /a.xmp (Permission denied). Check its permissions."),
      (.damaged(.empty), "/a.xmp is empty. If no program is writing it, delete it."),
      (
        .damaged(.notXML),
        "/a.xmp can't be used: it is incomplete or is not XML. Restore it from a backup, or move it away."
      ),
      (
        .readOnly(reason: "Read-only file system"),
        "/a.xmp can't be written (Read-only file system). Make it and its folder writable."
      ),
      (.full(reason: "No space left on device"), "/a.xmp was not written (No space left on device). Free some space."),
      (
        .writing(.flush, reason: "Input/output error"),
        "/a.xmp was not written: flushing it to the disk failed (Input/output error). Check its folder."
      ),
      (.busy, "/a.xmp was not written, because another program keeps changing it. Close that program."),
    ] as [(SidecarFault, String)])
  func eachFaultSaysWhatTheUserCanDo(fault: SidecarFault, message: String) {
    #expect(SidecarError("/a.xmp", fault).message == message)
  }

  /// As Lightroom writes it: in fractions of the stored image, without a turn.
  @Test func aCropIsWrittenAsCameraRawDoes() throws {
    let folder = try TestFolder()
    var change = SidecarChange()
    change[.crop] = .set("0.100000 0.200000 0.900000 0.800000")
    let undo = try Sidecars().apply(change, to: folder.photo).inverse
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    for line in [
      "crs:HasCrop>True<", "crs:CropLeft>0.100000<", "crs:CropTop>0.200000<", "crs:CropRight>0.900000<",
      "crs:CropBottom>0.800000<", "crs:CropAngle>0<", "http://ns.adobe.com/camera-raw-settings/1.0/",
    ] { #expect(text.contains(line)) }
    var removal = SidecarChange()
    removal[.crop] = .remove
    let result = try Sidecars().apply(removal, to: folder.photo)
    #expect(result.decisions.crop == nil)
    #expect(String(decoding: try folder.bytes(), as: UTF8.self).contains("crs:HasCrop>False<"))
    try Sidecars().apply(result.inverse, to: folder.photo)
    try Sidecars().apply(undo, to: folder.photo)
    #expect(try folder.names == ["a.jpg"])
  }

  @Test(arguments: [
    ("True", "0", "False", true), ("true", "0.0", "", true), ("False", "0", "", false), ("True", "1.5", "", false),
    ("True", "0", "True", false),
  ]) func onlyACropThatCanBeShownIsRead(has: String, angle: String, isApplied: String, isRead: Bool) throws {
    let folder = try TestFolder()
    let properties = [
      ("HasCrop", has), ("CropAngle", angle), ("AlreadyApplied", isApplied), ("CropLeft", "0.5"), ("CropTop", "0"),
      ("CropRight", "1"), ("CropBottom", "0.5"),
    ].map { "<crs:\($0) xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\">\($1)</crs:\($0)>" }
    try folder.write(sidecar(properties.joined()))
    let crop = try Sidecars().decisions(of: folder.photo)?.crop
    #expect(crop == (isRead ? PhotoCrop(x: 0.5, y: 0, width: 0.5, height: 0.5) : nil))
  }
}
