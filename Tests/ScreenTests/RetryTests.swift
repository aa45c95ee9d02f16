import Testing
import WebServer

extension WebSourceTests {
  /// While a server that refuses is asked again, which takes some seconds, the screen says so and why.
  @Test func aRequestThatIsMadeAgainIsReported() async throws {
    let server = try RawServer { peer in
      _ = peer.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    let covers = try Program.start(
      "--delay", "0", "--room", "covers", "--music-url", server.address + "/search", columns: 150)
    defer { covers.close() }
    try await covers.waitForText("to search.")
    covers.type("/bach\r")
    try await covers.waitForTexts("Trying again…", "the server reports an error")
    let photos = try Program.start(server.address, columns: 150)
    defer { photos.close() }
    try await photos.waitForTexts("Trying again…", "the server reports an error")
  }
}
