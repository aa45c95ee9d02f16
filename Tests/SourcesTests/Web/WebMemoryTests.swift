import Foundation
import Gallery
import HTTP
import Testing
import WebServer

extension WebTests {
  /// Answers of any kind take little memory. Each test runs in a separate process, whose memory no other test uses.
  @Suite struct WebMemoryTests {
    enum Body: String, CaseIterable, Codable, Sendable {
      case blanks, text, rows, nesting, packed

      /// The beginning of the body, and the text that follows it endlessly.
      fileprivate var parts: (start: String, rest: String) {
        switch self {
        case .blanks: ("[", " ")
        case .text: (#"[{"id": 1, "name": ""#, "x")
        case .rows: ("[", #"{"id": 1, "name": 5}, "#)
        case .nesting: ("[", "[")
        case .packed: ("", "")
        }
      }
    }

    @Test(arguments: Body.allCases) func anEndlessBodyTakesLittleMemory(body: Body) async {
      await #expect(processExitsWith: .success) { [body = body as Body] in
        let bomb = body == .packed ? [UInt8](try await gzip("(gzip -dc /dev/null; head -c 300000000 /dev/zero)")) : []
        let server = try RawServer { peer in
          let (start, rest) = body.parts
          let packing = body == .packed ? "Content-Encoding: gzip\r\n" : ""
          _ = peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(packing)\r\n\(start)") && peer.send(bomb)
          let chunk = Array(String(repeating: rest, count: (1 << 16) / max(1, rest.utf8.count)).utf8)
          while !chunk.isEmpty, peer.send(chunk) {}
          peer.waitForClose()
        }
        let catalog = TestCatalog()
        _ = try? await catalog.service("http://127.0.0.1:1/").last()
        let before = peakMemory()
        await #expect(throws: APIError.serverFault(server: "127.0.0.1", fault: "the answer is larger than 64 MB")) {
          try await catalog.service(server.address).last()
        }
        let growth = peakMemory() - before
        #expect(growth < 20 << 10, "\(growth) KB")
      }
    }
  }
}

/// Returns the peak memory of this process in KB.
private func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
