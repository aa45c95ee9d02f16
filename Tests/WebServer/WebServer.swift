import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A web server on the loopback interface that runs as long as `run`.
public final class WebServer: Sendable {
  /// A request that the server has received.
  public struct Question: Sendable {
    /// The path with its query, percent-encoded.
    public var target: String
    public var method: String
    public var body: Data
    public var headers: [String: String]
    /// The number of earlier requests.
    public var number: Int
  }

  public struct Answer: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(_ status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The address of the server, `http://127.0.0.1:port`.
  public let address: String
  public let port: UInt16
  private let seen: Log

  private init(port: UInt16, seen: Log) {
    self.port = port
    address = "http://127.0.0.1:\(port)"
    self.seen = seen
  }

  /// The requests in order.
  public var questions: [Question] { seen.questions }

  /// Serves requests while `body` runs.
  @discardableResult
  public static func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, answer: @escaping @Sendable (Question) async -> Answer,
    body: (WebServer) async throws -> Result
  ) async throws -> Result {
    let seen = Log()
    let handler = ClosureHTTPHandler { request in
      let headers = request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
      let question = seen.add(
        target: request.target.rawValue, method: request.method.rawValue, body: (try? await request.bodyData) ?? Data(),
        headers: Dictionary(headers) { $0 + ", " + $1 })
      let answer = await answer(question)
      return HTTPResponse(
        statusCode: HTTPStatusCode(answer.status, phrase: "Answer"),
        headers: HTTPHeaders(Dictionary(uniqueKeysWithValues: answer.headers.map { (HTTPHeader($0.key), $0.value) })),
        body: answer.body)
    }
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
    let task = Task { try await server.run() }
    defer { task.cancel() }
    try await server.waitUntilListening(timeout: 60)
    guard case .ip4(_, let port)? = await server.listeningAddress else { throw SocketError.disconnected }
    return try await body(WebServer(port: port, seen: seen))
  }
}

private final class Log: Sendable {
  private let state = Mutex<[WebServer.Question]>([])

  var questions: [WebServer.Question] { state.withLock { $0 } }

  func add(target: String, method: String, body: Data, headers: [String: String]) -> WebServer.Question {
    state.withLock {
      let question = WebServer.Question(
        target: target, method: method, body: body, headers: headers, number: $0.count)
      $0.append(question)
      return question
    }
  }
}
