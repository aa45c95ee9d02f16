import CConfinement
import Foundation
import PictureWire

/// The picture worker: renders one file after another for the browser, on whose socket (descriptor 0) it is spoken to.
///
/// It is a process of its own because a decoder given a hostile or damaged file may eat all memory, never end, or
/// crash: then it alone goes, and the browser starts another.
@main
enum Worker {
  /// At most this much memory, in bytes, and this long for one picture, in seconds.
  private static let memoryLimit = 1 << 30
  private static let secondsPerPicture: UInt32 = 10

  static func main() {
    let renderer = Renderer()
    if CommandLine.arguments.dropFirst().first == "--doctor" {
      for line in renderer.report() { print(line) }
      return
    }
    confine(memoryLimit)
    var buffer = WireBuffer()
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(0, &chunk, chunk.count)
      guard count > 0 else { end(renderer, EXIT_SUCCESS) }
      buffer.append(chunk[..<count])
      do throws(WireError) {
        while let request = try buffer.next(PictureRequest.self) {
          alarm(secondsPerPicture)
          guard send(renderer.render(request).framed) else { end(renderer, EXIT_SUCCESS) }
          renderer.finish()
          alarm(0)
        }
      } catch {
        end(renderer, EXIT_FAILURE)
      }
    }
  }

  private static func end(_ renderer: Renderer, _ code: Int32) -> Never {
    renderer.deleteFiles()
    exit(code)
  }

  /// - Returns: Whether there is still somebody to send to.
  private static func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
