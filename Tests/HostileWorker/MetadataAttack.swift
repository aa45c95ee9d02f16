import Gallery
import ImageWire

/// The answers of a worker for metadata that a hostile file has taken over.
public enum MetadataAttack: String, CaseIterable, Sendable {
  case sendsFewer, sendsMore, sendsMillions, answersTwice, floods, ends, endsAtOnce, claimsTooMuch, claimsMuch,
    sendsZeros
  case hasEscapes, hasEscapesInReason, hasLongTexts, hasManyKeywords, hasLongReason, isNoMetadata

  /// The answer of a worker that nothing has taken over: each photo's title is its name.
  static func answer(_ request: MetadataRequest) -> MetadataAnswer {
    MetadataAnswer(
      results: request.subjects.map { subject in
        var metadata = PhotoMetadata()
        metadata.title = subject.path.printableName
        return .success(MetadataRecord(metadata))
      })
  }

  /// Returns the acts that follow a request.
  func acts(on request: MetadataRequest) -> [Act] {
    let honest = Self.answer(request)
    switch self {
    case .sendsFewer: return [.send(MetadataAnswer(results: honest.results.dropLast()).framed)]
    case .sendsMore: return [.send(MetadataAnswer(results: honest.results + honest.results).framed)]
    case .sendsMillions: return [.send(Self.message(count: 60 << 20, Array(repeating: 1, count: 60 << 20)))]
    case .answersTwice: return [.send(honest.framed + honest.framed)]
    case .floods: return [.flood(honest.framed)]
    case .ends, .endsAtOnce: return [.end]
    case .claimsTooMuch: return [.send([0xFF, 0xFF, 0xFF, 0xFF]), .wait]
    case .claimsMuch: return [.send([0, 0, 0, 4]), .flood(Array(repeating: 7, count: 1 << 16))]
    case .sendsZeros: return [.flood(Array(repeating: 0, count: 1 << 16))]
    case .hasEscapes: return [.send(metadata(of: request) { $0.title = "a\u{1B}]0;b\u{7}" })]
    case .hasLongTexts:
      return [.send(metadata(of: request) { $0.caption = String(repeating: "long ", count: 8 << 20) })]
    case .hasManyKeywords:
      return [.send(metadata(of: request) { $0.keywords = Array(repeating: "k", count: 8 << 20) })]
    case .hasLongReason:
      return [.send(reason(of: request, String(repeating: "An endless reason. ", count: 1 << 18)))]
    case .hasEscapesInReason: return [.send(reason(of: request, "a\u{1B}]0;b\u{7}"))]
    case .isNoMetadata:
      return [
        .send(Self.message(count: request.subjects.count, request.subjects.flatMap { _ in [0, 1, 0, 0, 0, 0xFF] }))
      ]
    }
  }

  /// Returns an answer in which the first photo has metadata that no reader makes.
  private func metadata(of request: MetadataRequest, _ change: (inout PhotoMetadata) -> Void) -> [UInt8] {
    var (metadata, bytes): (PhotoMetadata, [UInt8]) = (PhotoMetadata(), [])
    change(&metadata)
    metadata.pack(into: &bytes)
    var results: [UInt8] = [0]
    results.put(bytes)
    for _ in request.subjects.dropFirst() { results.append(1) }
    return Self.message(count: request.subjects.count, results)
  }

  /// Returns an answer in which no photo can be read, for a reason that no reader gives.
  private func reason(of request: MetadataRequest, _ reason: String) -> [UInt8] {
    var results: [UInt8] = []
    for _ in request.subjects {
      results.append(5)
      results.put(reason)
    }
    return Self.message(count: request.subjects.count, results)
  }

  private static func message(count: Int, _ results: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.put(count)
    body += results
    var message: [UInt8] = []
    message.put(body.count)
    return message + body
  }
}
