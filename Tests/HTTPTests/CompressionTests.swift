import Foundation
import HTTP
import Testing
import WebServer

extension WebTests {
  /// Compressed bodies take little memory, however they are compressed.
  @Suite struct CompressionTests {
    /// A method of compression. The last ones have not been asked for.
    enum Coding: String, CaseIterable, Codable, Sendable {
      case gzip, deflate, zstd

      /// Returns some kilobytes that become half a gigabyte.
      fileprivate func bomb() async throws -> [UInt8] {
        guard self != .zstd else { return Self.zstdBomb }
        let file = TemporaryFile()
        let script = """
          sys, zlib = map(__import__, ("sys", "zlib"))
          packer = zlib.compressobj(9, zlib.DEFLATED, \(self == .gzip ? 31 : 15))
          with open(sys.argv[1], "wb") as file:
            for _ in range(512): file.write(packer.compress(bytes(1 << 20)))
            file.write(packer.flush())
          """
        try await run("/usr/bin/python3", ["-c", script, file.path])
        return [UInt8](file.contents)
      }

      /// A frame (RFC 8878) with a window of 128 MB, and blocks that are one byte repeated.
      private static var zstdBomb: [UInt8] {
        let block = (128 << 10) << 3 | 1 << 1
        let head = [UInt8](repeating: 0, count: 3).indices.map { UInt8(truncatingIfNeeded: block >> (8 * $0)) }
        return [0x28, 0xB5, 0x2F, 0xFD, 0, 17 << 3] + Array(repeating: head + [0], count: 4096).joined()
      }
    }

    /// The test runs in a separate process, so that no other test uses its memory.
    @Test(arguments: Coding.allCases) func aDecompressionBombIsCutOff(coding: Coding) async {
      await #expect(processExitsWith: .success) { [coding = coding as Coding] in
        let bytes = try await coding.bomb()
        try #require(bytes.count > 10_000)
        let server = try RawServer { peer in
          let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.rawValue)\r\nConnection: close\r\n\r\n"
          _ = peer.send(head) && peer.send(bytes)
          peer.waitForClose()
        }
        let client = client(limits: HTTPLimits())
        _ = try? await client.send(local("http://127.0.0.1:1/"))
        let file = TemporaryFile()
        let before = peakMemory()
        let error = await #expect(throws: HTTPError.self) {
          try await client.send(local(server.address) { $0.destination = .file(descriptor: file.descriptor) })
        }
        if coding == .zstd {
          #expect(error == .unwantedCoding(host: "127.0.0.1"))
        } else {
          #expect(error == .bodyTooLarge(host: "127.0.0.1", limit: 200 << 20))
          let size = file.size
          #expect(size > 199 << 20 && size <= 200 << 20)
        }
        let growth = peakMemory() - before
        #expect(growth < 20 << 10, "\(growth) KB")
      }
    }

    /// libcurl would decode by all of these.
    @Test(arguments: [
      "Content-Encoding: br", "Content-Encoding: gzip, gzip", "Content-Encoding: gzip\r\nContent-Encoding: gzip",
      "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: zstd", "Content-Encoding: nonsense",
    ])
    func noOtherMethodIsTaken(header: String) async throws {
      let count = Counter()
      let server = try RawServer { peer in
        _ = count.next()
        _ = peer.send("HTTP/1.1 200 OK\r\n\(header)\r\nConnection: close\r\n\r\nbody")
      }
      let error = HTTPError.unwantedCoding(host: "127.0.0.1")
      await #expect(throws: error) { try await client().send(local(server.address)) }
      #expect(count.next() == 1)
    }

    @Test func onlyTheMethodsThatAreTakenAreAskedFor() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { server in
        _ = try await client().send(local(server.address))
        _ = try await client().send(local(server.address) { $0.mayBeCompressed = false })
        #expect(server.questions.map { $0.headers["accept-encoding"] } == ["gzip, deflate", "identity"])
      }
    }

    /// What a server sets is neither kept nor sent, by any later request.
    @Test func noCookieIsKept() async throws {
      try await WebServer.run { question in
        .init(question.number == 0 ? 503 : 200, headers: ["Set-Cookie": "id=1; Path=/; Max-Age=9999"])
      } body: { server in
        let client = client()
        for _ in 0..<2 { _ = try await client.send(local(server.address)) }
        #expect(server.questions.map { $0.headers["cookie"] } == [nil, nil, nil])
      }
    }
  }
}
