import Gallery
import ImageWire
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The photos of archives, and the pages of documents, which are listed and opened alike.
extension ImageDecoder {
  /// The most pages in a part of a list.
  private static let mostPages = 1000

  /// Opens the photo of a request, unpacks it from its archive, or opens its page.
  func file(of request: ImageRequest, _ files: RequestFiles) throws(ImageFault) -> ImageFile {
    guard let entry = request.entry else { return try ImageFile(path: request.path, descriptor: files.photo) }
    guard Self.isDocument(files.photo) else {
      return try archives.file(request.path, entry: entry, of: files.photo, memory: files.memory ?? -1)
    }
    let file = try ImageFile(path: request.path, descriptor: files.photo)
    let digits = entry.suffix(while: { $0.isDigit })
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else { throw .archive(.noEntry) }
    file.page = number - 1
    return file
  }

  /// Lists a part of an archive, or of a document.
  func listing(
    of path: FilePath, _ request: ListingRequest, _ files: RequestFiles
  ) throws(ImageFault) -> ArchiveListing {
    guard Self.isDocument(files.photo) else {
      return try archives.listing(of: path, request, archive: files.photo, memory: files.memory ?? -1)
    }
    let file = try ImageFile(path: path, descriptor: files.photo)
    let count = min(try pageCount(of: file), ArchiveFault.mostEntries)
    let pages = request.start..<min(count, request.start + Self.mostPages)
    let width = String(count).utf8.count
    var metadata = PhotoMetadata()
    metadata.kind = .page
    let entries = pages.map { page in
      let number = String(page + 1)
      let zeros = String(repeating: "0", count: width - number.utf8.count)
      return ArchiveListing.Entry(
        name: Array("page-\(zeros)\(number)".utf8), size: 0, modifiedAt: max(0, file.modifiedAt / 1_000_000_000),
        result: .success(MetadataRecord(metadata)))
    }
    return ArchiveListing(entries: entries, next: pages.upperBound < count ? pages.upperBound : nil)
  }

  private func pageCount(of file: ImageFile) throws(ImageFault) -> Int {
    do throws(ImageFault) {
      return try vips.open(file).frames
    } catch .damaged(.library(let reason)) {
      throw .archive(reason.lowercased().contains("encrypt") ? .encrypted : .damaged(reason: reason))
    }
  }

  /// Returns whether an open file is a PDF.
  private static func isDocument(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 5)
    return pread(descriptor, &head, head.count, 0) == head.count && ImageFormat(head: head[...]) == .pdf
  }
}

extension ArraySlice<UInt8> {
  /// Returns the bytes at the end that satisfy a condition.
  fileprivate func suffix(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !isWanted($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
