import FoundationEssentials
import Gallery
import Photos
import TestLimit
import Testing

@testable import Finding

@Suite(.timeLimit(.minutes(5)), .limited) struct QueryAdviceTests {
  /// Photos from March 2009 to January 2015, of which two were taken in the summer of 2012 and in the winter of 2014.
  private static let photos = PhotoTable(
    [("Old bridge", 2009, 3, "DSC-1"), ("Harbor at night", 2012, 7, "X100"), ("Snow", 2015, 1, "X100")].enumerated()
      .map { id, photo in
        let clock = CalendarTime(year: photo.1, month: photo.2, day: 14)?.clock ?? 0
        return Photo(
          id: id, name: photo.0, createdAt: Date(timeIntervalSince1970: clock), imageURL: "\(id).jpg",
          image: .file("/a"),
          camera: photo.3)
      })
  private static let now = CalendarTime(year: 2017, month: 8, day: 16)

  private func advice(_ text: String) async throws -> QueryAdvice? {
    let (finder, now) = (PhotoFinder(), try #require(Self.now))
    #expect(try await finder.find(PhotoQuery(text, now: now), in: Self.photos).isEmpty, "\(text)")
    return await QueryAdvice.advice(for: text, in: Self.photos, by: finder, now: now)
  }

  @Test(
    arguments: [
      ("summer", "taken:summer-2012"), ("winter", "taken:winter-2014"), ("spring", "taken:spring-2009"),
      ("autumn", "taken:autumn-2016"), ("july", "taken:july-2012"), ("june-2012", "taken:june-2012"),
      ("yesterday", "taken:yesterday"), ("last-week", "taken:last-week"),
      ("2012/07", "taken:2012-07"), ("7/2012", "taken:2012-07"), ("14.3.2009", "taken:2009-03-14"),
      ("f2.8", "aperture:2.8"), ("f/2.8", "aperture:2.8"), ("1/250", "exposure:1/250"), ("50mm", "focal:50"),
      ("iso1600", "iso:1600"), ("picked", "is:picked"), ("Rejected", "is:rejected"), ("gps", "has:gps"),
      ("rejectd", "is:rejected"), ("sale", "for:sale"),
    ])
  func aWordThatMeansATermLeadsToIt(text: String, term: String) async throws {
    #expect(try await advice(text) == .term(term, for: text))
    #expect(try await advice("snow \(text)") == .term(term, for: text))
    // What is advised is valid.
    #expect(throws: Never.self) { try PhotoQuery(term, now: #require(Self.now)) }
  }

  @Test func theNameOfAFieldIsExplained() async throws {
    #expect(
      try await advice("iso")?.message
        == "“iso” is the name of a field. Write iso: and a sensitivity such as 400, >1600 or 100..400.")
  }

  @Test(arguments: ["2016", "2010-05", "date:2010-05", "year:2011", "before:2000", "2009-03-13"])
  func aTimeWithoutPhotosLeadsToTheTimesOfAllPhotos(text: String) async throws {
    let advice = try await advice(text)
    #expect(advice == .days(first: "2009-03-14", last: "2015-01-14"))
    #expect(advice?.message == "The photos are from 2009-03-14 to 2015-01-14.")
  }

  @Test(arguments: [
    ("brigde", "bridge"), ("harbour", "harbor"), ("snwo", "snow"), ("camera:x1000", nil), ("zzzz", nil),
  ])
  func aTypingErrorIsCorrected(text: String, word: String?) async throws {
    let advice = try await advice(text)
    #expect(advice == word.map { .similar($0, for: text) })
    #expect(word == nil || advice?.message == "No text has “\(text)”. Did you mean “\(word ?? "")”?")
  }

  @Test func theTermThatFindsNothingIsNamed() async throws {
    #expect(try await advice("snow rating>=4") == .alone("rating>=4"))
    #expect(try await advice("rating>=4") == nil)
    // The value of a field is not explained as a word.
    #expect(try await advice("is:rejected") == nil)
    #expect(try await advice("snow is:rejected") == .alone("is:rejected"))
    #expect(try await advice("snow bridge") == .together)
    #expect(try await advice("harbor -night") == .together)
  }

  @Test func wordsAreComparedByTheirErrors() {
    func distance(_ first: String, _ second: String, _ most: Int = 2) -> Int? {
      Spelling.distance(Array(first.utf8), Array(second.utf8), atMost: most)
    }
    #expect(distance("bridge", "bridge") == 0 && distance("bridge", "brigde") == 1)
    #expect(distance("bridge", "ridge") == 1 && distance("bridge", "bridges") == 1 && distance("bridge", "fridge") == 1)
    #expect(distance("bridge", "brdg") == 2 && distance("bridge", "brdg", 1) == nil && distance("", "abc") == nil)
    #expect(distance("bridge", "harbor") == nil)
  }
}
