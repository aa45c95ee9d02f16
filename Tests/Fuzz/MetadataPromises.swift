import Foundation
import Gallery

@testable import ImageWire
@testable import Metadata

/// The promises of the metadata reader. The input is a photo's file or, if its format is not known, a sidecar.
struct MetadataPromises {
  private let bytes: [UInt8]

  init(_ input: [UInt8]) { bytes = input }

  func check() throws {
    let isImage = ImageFormat(head: bytes.prefix(512)) != nil
    let result = isImage ? try read() : .success(XMPMetadata(bytes[...]).metadata)
    let message = MetadataAnswer(results: [result.map { MetadataRecord($0) }]).framed
    var buffer = WireBuffer()
    buffer.append(message)
    let answer = try buffer.next(UndecodedMetadata.self)?.decoded(count: 1)
    try promise(answer?.results.count == 1, "the answer can be sent")
    guard case .success(let record) = answer?.results.first else { return }
    let metadata = record.metadata
    try metadata.checkRanges()
    try metadata.checkTexts()
    // A character of Latin-1 takes up to two bytes in UTF-8, and a control character is replaced by three bytes.
    // Nothing else makes a text longer.
    let texts =
      metadata.keywords
      + [metadata.title, metadata.caption, metadata.camera, metadata.lens, metadata.label].compactMap(\.self)
    try promise(texts.reduce(0) { $0 + $1.utf8.count } <= 6 * bytes.count, "texts are no longer than the file")
    try promise(metadata.takenAt.map { (-6.3e10...2.6e11).contains($0.clock) } ?? true, "years are from 1 to 9999")
    try promise(metadata.takenAt?.offset.map { abs($0) < 16 * 3600 } ?? true, "clocks are less than 16 hours from UTC")
  }

  /// Reads the input as a file, in the same way as all files.
  private func read() throws -> Result<PhotoMetadata, PhotoFault> {
    let file = try NamelessFile(bytes)
    return MetadataReader().metadata(of: FoundPhoto(path: file.path))
  }
}

extension PhotoMetadata {
  func checkTexts() throws {
    let lines = (caption ?? "").split(separator: "\n").map(String.init)
    let texts = [title, camera, lens, label].compactMap(\.self) + keywords + lines
    try promise(texts.allSatisfy(\.isHarmless), "texts are printable")
  }
}

/// A file without a name, which is deleted when it is closed.
private final class NamelessFile {
  private let file: UnsafeMutablePointer<FILE>

  init(_ bytes: [UInt8]) throws {
    guard let file = tmpfile() else { throw BrokenPromise(description: "no file could be made") }
    self.file = file
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      throw BrokenPromise(description: "no file could be written")
    }
  }

  deinit { fclose(file) }

  var path: FilePath { FilePath("/proc/self/fd/\(fileno(file))") }
}
