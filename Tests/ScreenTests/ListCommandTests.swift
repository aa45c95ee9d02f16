import Foundation
import Harness
import Synchronization
import TestLimit
import Testing
import WebServer

/// `tintype list`, started from a shell.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class ListCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let catalog = """
      [{"id":1,"name":"Dune","created_at":"2014-06-19T10:38:24Z","image_url":"dune.jpg","for_sale":true,"stars":4,
        "label":"Red","keywords":["sand","sea"],"description":"A dune."},
       {"id":2,"name":"Tab\\there","created_at":"2015-01-02T03:04:05Z","image_url":"b.jpg","stars":-1,
        "user":{"fullname":"Ann"},"description":"Shown.","alt_text":"A cat\\u001b[31m on a mat."}]
      """
    try Data(catalog.utf8).write(to: folder.appending(path: "a.json"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: folder, changes: ["XDG_CACHE_HOME": folder.appending(path: "cache").path])
  }

  /// The output is read aloud by screen readers, so words take the place of signs.
  @Test func photosAreListedInWords() async throws {
    let list = try await run("\"$0\" list a.json")
    #expect(
      list.output == """
        Dune
        2014-06-19 10:38, 4 stars, label Red, for sale
        A dune.
        Keywords: sand, sea
        \(folder.path)/dune.jpg

        Tab here
        by Ann, 2015-01-02 03:04, rejected
        A cat\u{FFFD}[31m on a mat.
        \(folder.path)/b.jpg


        """)
    #expect(list.code == 0 && list.errors == "")
  }

  /// HTTP/2 forbids white space around the value of a header field, which HTTP/1.1 ignores.
  @Test func onlyTheValueOfAHeaderIsSent() async throws {
    let requests = Mutex<[String]>([])
    let server = try RawServer { peer in
      requests.withLock { $0.append(peer.request) }
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
    }
    let list = try await run("\"$0\" list --header 'X-Key:\t k: 1 \t' \(server.address)")
    #expect(list.code == 0 && list.errors == "")
    let request = try #require(requests.withLock { $0.first })
    #expect(request.contains("\r\nX-Key: k: 1\r\n"), "\(request)")
  }

  @Test func aSearchIsListedAsATableAndAsACatalog() async throws {
    let table = try await run("\"$0\" list a.json 'rating:>=4' --format tsv")
    #expect(
      table.output == """
        path\tname\tauthor\tdate\tcamera\trating\tlabel\tfor_sale\tkeywords\talt_text
        \(folder.path)/dune.jpg\tDune\t\t2014-06-19 10:38\t\t4\tRed\tyes\tsand, sea\tA dune.

        """)
    let catalog = try await run(
      "\"$0\" list a.json alt:mat --format json > b.json && \"$0\" list b.json --format tsv | tail -n 1")
    #expect(catalog.output.hasPrefix("\(folder.path)/b.jpg\tTab here\tAnn") && catalog.output.hasSuffix("mat.\n"))
  }

  @Test func mistakesAreNamed() async throws {
    let query = try await run("\"$0\" list a.json ratng:4")
    #expect(query.code == 64 && query.output == "" && query.errors.hasPrefix("Unknown field “ratng”."))
    let missing = try await run("\"$0\" list b")
    #expect(missing.code == 1 && missing.errors.contains("Check the name."))
    let pipe = try await run("\"$0\" list a.json | true")
    #expect(pipe.errors == "")
  }
}
