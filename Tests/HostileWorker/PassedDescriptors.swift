import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Descriptors that come with an answer.
///
/// The worker goes on when the other process has closed all of them. Most are of the file `passed` in the folder of the photo.
struct PassedDescriptors {
  private let descriptors: [Int32]
  private let end: Int32

  init(for photo: FilePath) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { exit(EXIT_FAILURE) }
    end = ends[0]
    let file = photo.folder.appending("passed".utf8).withCString { open($0, O_WRONLY | O_CREAT, 0o600) }
    descriptors = [ends[1]] + (0..<7).map { _ in dup(file) }
    close(file)
  }

  func acts(with bytes: [UInt8]) -> [Act] { [.pass(descriptors, with: bytes), .waitForEnd(end)] }
}
