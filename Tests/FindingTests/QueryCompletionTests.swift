import FoundationEssentials
import Gallery
import Photos
import TestLimit
import Testing

@testable import Finding

@Suite(.timeLimit(.minutes(5)), .limited) struct QueryCompletionTests {
  private static let photos = PhotoTable(
    [("Harbor", 2012, "Canon EOS", 5), ("Harbor at night", 2012, "Canon EOS", 4), ("Snow", 2015, "Fujifilm X100", nil)]
      .enumerated().map { id, photo in
        var metadata = PhotoMetadata()
        metadata.rating = photo.3
        metadata.keywords = id == 0 ? ["dawn"] : []
        return Photo(
          id: id, name: photo.0,
          createdAt: Date(timeIntervalSince1970: CalendarTime(year: photo.1, month: 6, day: 14)?.clock ?? 0),
          imageURL: "\(id).jpg", image: .file("/\(id).jpg"), camera: photo.2, metadata: metadata)
      })
  private let finder = PhotoFinder()
  private let now = CalendarTime(year: 2017, month: 8, day: 16)

  /// Returns each completion with the number of its photos, such as "camera:canon 2", after a search for the text.
  private func completions(of text: String) async throws -> [String] {
    let now = try #require(now)
    if let query = try? PhotoQuery(text, now: now) { _ = try await finder.find(query, in: Self.photos) }
    return await QueryCompletion.completions(
      of: text, in: Self.photos, by: finder, now: now, sets: [.mark: [], .duplicates: []]
    ).map { completion in
      #expect(completion.query.hasSuffix(completion.term))
      return ([completion.term] + (completion.count.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }
  }

  @Test(
    arguments: [
      ("cam", ["camera:", "has:camera 3"]), ("ra", ["rating:", "has:rating 2"]), ("har", ["harbor 2"]),
      ("h", ["height:", "has:"]),
      ("camera:", ["camera:eos 2", "camera:canon 2", "camera:x100 1", "camera:fujifilm 1"]),
      ("camera:fu", ["camera:fujifilm 1"]), ("camera:Can", ["camera:canon 2"]), ("keyword:", ["keyword:dawn 1"]),
      ("rating:", ["rating:0 1", "rating:4 1", "rating:5 1"]),
      ("rating>=", ["rating:>=4 2", "rating:>=5 1"]),
      ("is:un", ["is:unrated 1"]), ("is:", ["is:picked 2", "is:unrated 1"]), ("year:", ["year:2015 1", "year:2012 2"]),
      ("taken:2012", ["taken:2012-06 2"]), ("", []), ("harbor ", []), ("camera:canon", []), ("near:4", []),
      ("color:r", []),
    ])
  func theLastTermIsCompleted(text: String, expected: [String]) async throws {
    #expect(try await completions(of: text) == expected)
  }

  /// The other terms stay, and count.
  @Test func theNumbersAreThoseOfTheWholeQuery() async throws {
    #expect(try await completions(of: "night rating:") == ["rating:4 1"])
    let night = await QueryCompletion.completions(of: "night ye", in: Self.photos, by: finder, now: try #require(now))
    #expect(night.map(\.query) == ["night year:"])
    #expect(try await completions(of: "-night -camera:c") == ["-camera:canon 1"])
  }

  @Test(
    arguments: [
      ("harbr snow", ["harbr 2", "snow 1"]), ("harbour", ["harbor 2"]), ("night picked", ["night is:picked 1"]),
      ("1999", ["year:2015 1", "year:2012 2"]), ("zzzz", []),
      // A part of a field's name is in no text, but it leads to the field.
      ("widt", ["width:"]), ("rati", ["rating:", "has:rating 2"]), ("rating", ["rating:", "has:rating 2"]),
      ("picked", ["is:picked 2"]),
    ])
  func aQueryThatFindsNothingIsReplaced(text: String, expected: [String]) async throws {
    let now = try #require(now)
    _ = try await finder.find(PhotoQuery(text, now: now), in: Self.photos)
    let advice = await QueryAdvice.advice(for: text, in: Self.photos, by: finder, now: now)
    let found = await QueryCompletion.replacements(of: text, by: advice, in: Self.photos, by: finder, now: now)
    #expect(found.map { ([$0.query] + ($0.count.map { ["\($0)"] } ?? [])).joined(separator: " ") } == expected)
  }

  @Test func aLetterOrANumberOfANameComesAfterItsWords() async throws {
    let now = try #require(now)
    let photo = Photo(
      id: 0, name: "Harbor", createdAt: Date(timeIntervalSince1970: 0), imageURL: "0.jpg", image: .file("/0.jpg"),
      camera: "Nikon Z 6_2")
    let photos = PhotoTable([photo])
    _ = try await finder.find(PhotoQuery("harbor", now: now), in: photos)
    let found = await QueryCompletion.completions(of: "camera:", in: photos, by: finder, now: now)
    #expect(found.map(\.term) == ["camera:nikon", "camera:z", "camera:6_2"])
  }

  /// A count between two searches leaves the second one what the first has found.
  @Test func countingDoesNotDisturbASearch() async throws {
    let now = try #require(now)
    let harbor = try PhotoQuery("harbor", now: now)
    #expect(try await finder.find(harbor, in: Self.photos).count == 2)
    #expect(try await finder.count(PhotoQuery("snow", now: now), in: Self.photos, sets: [:]) == 1)
    #expect(try await finder.find(PhotoQuery("harbor night", now: now), in: Self.photos).count == 1)
    #expect(try await finder.count(PhotoQuery("is:marked", now: now), in: Self.photos, sets: [.mark: [0, 2]]) == 2)
  }
}
