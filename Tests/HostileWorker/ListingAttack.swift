import Gallery
import ImageWire

/// The lists of a worker for archives that a hostile archive has taken over.
public enum ListingAttack: String, CaseIterable, Sendable {
  case neverEnds, staysInPlace, goesBack, hasMoreThanItPassed, hasFutureDates, hasLongNames, hasEscapesInNames, leadsOut

  /// Returns the answer to a request for a part of a list.
  func answer(_ request: ImageRequest) -> ImageAnswer {
    guard case .list(let listing) = request.job else { return ImageAttack.answer(request) }
    return ImageAnswer(number: request.number, content: .listing(part(from: listing.start)))
  }

  private func part(from start: Int) -> ArchiveListing {
    switch self {
    case .neverEnds: ArchiveListing(entries: [Self.entry("\(start).jpg")], next: start + 1)
    case .staysInPlace: ArchiveListing(entries: [Self.entry("\(start).jpg")], next: max(1, start))
    case .goesBack: ArchiveListing(entries: [Self.entry("\(start).jpg")], next: start == 1 ? 2 : 1)
    case .hasMoreThanItPassed:
      ArchiveListing(entries: (0..<2).map { Self.entry("\(start)-\($0).jpg") }, next: start + 1)
    case .hasFutureDates: ArchiveListing(entries: [Self.entry("a.jpg", modifiedAt: 1 << 61)])
    case .hasLongNames: ArchiveListing(entries: [Self.entry(String(repeating: "long/", count: 1 << 20) + ".jpg")])
    case .hasEscapesInNames: ArchiveListing(entries: [Self.entry("a\u{1B}]0;b\u{7}.jpg")])
    case .leadsOut: ArchiveListing(entries: [Self.entry("../../../etc/passwd"), Self.entry("/etc/passwd")])
    }
  }

  private static func entry(_ name: String, modifiedAt: Int = 0) -> ArchiveListing.Entry {
    ArchiveListing.Entry(name: Array(name.utf8), size: 1, modifiedAt: modifiedAt)
  }
}
