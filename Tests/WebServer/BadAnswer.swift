/// An answer whose frame is wrong: its lengths, its chunks, its compression, or all of it.
public enum BadAnswer: CaseIterable, Sendable {
  case shortBody, negativeLength, hugeLength, lengthInWords, twoLengths, chunkSizeInWords, negativeChunk, hugeChunk,
    shortChunk, longChunk,
    chunksWithoutEnd, damagedCompression, otherCompression, noStatus, noHTTP, encryption

  /// The bytes of the answer, after which the connection ends.
  public var bytes: [UInt8] {
    let body = Array("some words".utf8)
    switch self {
    case .shortBody: return head("Content-Length: 1000") + body
    case .negativeLength: return head("Content-Length: -10") + body
    case .hugeLength: return head("Content-Length: 99999999999999999999") + body
    case .lengthInWords: return head("Content-Length: ten") + body
    case .twoLengths: return head("Content-Length: 4\r\nContent-Length: 10") + body
    case .chunkSizeInWords: return chunked("ten\r\nsome words\r\n0\r\n\r\n")
    case .negativeChunk: return chunked("-a\r\nsome words\r\n0\r\n\r\n")
    case .hugeChunk: return chunked("fffffffffffffffffffff\r\nsome words\r\n0\r\n\r\n")
    case .shortChunk: return chunked("ff\r\nsome words")
    case .longChunk: return chunked("4\r\nsome words\r\n0\r\n\r\n")
    case .chunksWithoutEnd: return chunked("a\r\nsome words\r\n")
    case .damagedCompression: return head("Content-Encoding: gzip") + body
    case .otherCompression: return head("Content-Encoding: zstd") + body
    case .noStatus: return Array("HTTP/1.1 \r\n\r\n".utf8) + body
    case .noHTTP: return Array("220 mail.example ESMTP\r\n".utf8)
    // The alert "unexpected message" of TLS 1.2 (RFC 5246, section 7.2).
    case .encryption: return [0x15, 3, 3, 0, 2, 2, 10]
    }
  }

  private func head(_ header: String) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(header)\r\nConnection: close\r\n\r\n".utf8)
  }

  private func chunked(_ text: String) -> [UInt8] { head("Transfer-Encoding: chunked") + Array(text.utf8) }
}
