import Foundation
import Gallery
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Sidecars

/// Changes of a sidecar that another program is writing in the same instant.
@Suite(.limited) struct OtherProgramTests {
  /// Makes another program do something once, right before the sidecar is replaced or deleted.
  private static func system(_ act: @escaping @Sendable () throws -> Void) -> SidecarSystem {
    let isDone = Atomic(false)
    return SidecarSystem(hasLooked: { if !isDone.exchange(true, ordering: .relaxed) { try? act() } })
  }

  @Test(arguments: OtherProgram.Way.allCases, [false, true])
  func aVersionOfTheSameInstantIsMerged(way: OtherProgram.Way, isDeletion: Bool) throws {
    let folder = try TestFolder()
    var change = SidecarChange.rating(2)
    try folder.write(Sample.digikam.bytes)
    if isDeletion {
      unlink(folder.path + "/a.jpg.xmp")
      change = try Sidecars().apply(change, to: folder.photo).inverse
    }
    let path = folder.path + "/a.jpg.xmp"
    let theirs = sidecar("<xmp:Label>theirs</xmp:Label>")
    let system = Self.system { try Data(theirs).write(to: URL(filePath: path), options: way == .rename ? .atomic : []) }
    let result = try Sidecars(system: system).apply(change, to: folder.photo)
    #expect(result.decisions == PhotoDecisions(rating: isDeletion ? nil : 2, label: "theirs"))
    #expect(try Sidecars().decisions(of: folder.photo) == result.decisions)
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  /// A program that has opened the sidecar has not read or written it yet.
  @Test(arguments: [false, true]) func aSidecarThatIsOpenForWritingIsLeftAlone(isLate: Bool) throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes)
    let path = folder.path + "/a.jpg.xmp"
    let file = Mutex<Int32>(-1)
    @Sendable func open() { file.withLock { $0 = Glibc.open(path, O_RDWR | O_CLOEXEC) } }
    if !isLate { open() }
    let error = SidecarError(FilePath(path), .busy)
    #expect(throws: error) {
      try Sidecars(system: isLate ? Self.system(open) : SidecarSystem()).apply(.rating(1), to: folder.photo)
    }
    #expect(try folder.bytes() == Sample.digikam.bytes)
    // What it writes is in the sidecar.
    let theirs = sidecar("<xmp:Label>theirs</xmp:Label>")
    file.withLock { file in
      _ = ftruncate(file, 0) + Int32(write(file, theirs, theirs.count))
      close(file)
    }
    let result = try Sidecars().apply(.rating(1), to: folder.photo)
    #expect(result.decisions == PhotoDecisions(rating: 1, label: "theirs"))
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  /// No change of the other program is lost, but for those that nobody can see coming. Its own changes it may replace unread.
  @Test(.timeLimit(.minutes(60)), arguments: OtherProgram.Way.allCases)
  func noChangeOfAnotherProgramIsLostTorture(way: OtherProgram.Way) throws {
    // A disk would be flushed for milliseconds, in which the other program writes again and again.
    let folder = try TestFolder(in: "/dev/shm")
    try folder.write(sidecar("<xmp:Label>0</xmp:Label>"))
    let other = OtherProgram(folder.path + "/a.jpg.xmp", way)
    let count = Torture.rounds(1000, long: 20_000)
    var (busy, damaged, replaced) = (0, 0, 0)
    let start = ContinuousClock.now
    for number in 1...count {
      let rating = number % 5 + 1
      while true {
        do throws(SidecarError) {
          try Sidecars().apply(.rating(rating), to: folder.photo)
          break
        } catch {
          switch error.fault {
          case .busy: busy += 1
          // The other program has emptied it.
          case .damaged(.empty), .damaged(.notXML): damaged += 1
          default: throw error
          }
        }
      }
      if (try? Sidecars().decisions(of: folder.photo)?.rating) != rating { replaced += 1 }
    }
    let time = ContinuousClock.now - start
    let figures = other.stop()
    print("\(way): \(count) ratings, \(figures), busy \(busy), damaged \(damaged), replaced \(replaced), \(time)")
    #expect(figures.lost == figures.late)
    try Sidecars().apply(.rating(1), to: folder.photo)
    let decisions = try Sidecars().decisions(of: folder.photo)
    #expect(decisions?.label == "\(figures.changes)" && decisions?.rating == 1)
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }
}
