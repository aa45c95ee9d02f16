import Foundation
import Synchronization
import Torture

/// Another program that keeps writing a sidecar: it reads it, changes the label to the next number, and writes it back. It does not
/// look whether the sidecar has been changed meanwhile, as most programs don't.
final class OtherProgram: Sendable {
  enum Way: CaseIterable {
    /// A new file takes the place of the old one, as with ExifTool.
    case rename
    /// The file is emptied and written again, as with darktable and digiKam.
    case inPlace
  }

  /// What the program has found.
  struct Figures {
    var changes = 0
    /// The changes that were no longer in the sidecar when the program read it next.
    var lost = 0
    /// Those of them that went into a file which was no longer the sidecar when the program had opened it. Between the moment in which
    /// the system looks up a path and that in which it opens the file, nobody can see that it is about to be written.
    var late = 0
    /// The changes that were missing for a moment, while another program had its version in place.
    var hidden = 0
  }

  private let path: String
  private let way: Way
  private let figures = Mutex(Figures())
  /// Whether the last change went into such a file.
  private let isLate = Atomic(false)
  private let isStopped = Atomic(false)
  private let end = DispatchSemaphore(value: 0)

  init(_ path: String, _ way: Way) {
    self.path = path
    self.way = way
    Thread { [self] in
      var random = SplitMix(seed: 1)
      while !isStopped.load(ordering: .relaxed) {
        change()
        // Sometimes both programs are in step, and mostly they are not.
        for _ in 0..<Int.random(in: 0..<40, using: &random) { sched_yield() }
      }
      end.signal()
    }.start()
  }

  /// Ends the program, and returns what it has found.
  func stop() -> Figures {
    isStopped.store(true, ordering: .relaxed)
    end.wait()
    return figures.withLock(\.self)
  }

  private func change() {
    let number = figures.withLock(\.changes)
    guard let text = text(with: number) else { return }
    write(text.replacing("\(number + 1)"))
    figures.withLock { $0.changes = number + 1 }
  }

  /// Returns the sidecar, in which the last change should be.
  private func text(with number: Int) -> LabeledText? {
    var text = LabeledText(path)
    for _ in 0..<1000 {
      if text?.label == "\(number)" { return text }
      text = LabeledText(path)
      if text?.label == "\(number)" { figures.withLock { $0.hidden += 1 } }
    }
    figures.withLock {
      $0.lost += 1
      if isLate.load(ordering: .relaxed) { $0.late += 1 }
    }
    return text
  }

  private func write(_ bytes: [UInt8]) {
    let target = way == .rename ? path + "_other_tmp" : path
    let file = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    var (opened, named) = (stat(), stat())
    let isNamed = fstat(file, &opened) == 0 && stat(target, &named) == 0 && opened.st_ino == named.st_ino
    isLate.store(!isNamed, ordering: .relaxed)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
    if way == .rename { rename(target, path) }
  }
}

/// A sidecar around its label.
private struct LabeledText {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// Returns nil if there is no label.
  init?(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let start = data.range(of: Data("<xmp:Label>".utf8)),
      let end = data.range(of: Data("</xmp:Label>".utf8), in: start.upperBound..<data.count)
    else { return nil }
    bytes = Array(data)
    range = start.upperBound..<end.lowerBound
  }

  var label: String { String(decoding: bytes[range], as: UTF8.self) }

  func replacing(_ label: String) -> [UInt8] {
    bytes[..<range.lowerBound] + Array(label.utf8) + bytes[range.upperBound...]
  }
}
