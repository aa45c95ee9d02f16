import Testing

/// With nothing to do, nothing runs: not once in some seconds does any thread of the gallery or of its workers wake.
@Suite(.fewAtOnce, .serialized) struct IdleTests {
  @Test(arguments: LongDay.Source.allCases)
  func whoWaitsForTheNextKeyWakesForNothing(source: LongDay.Source) async throws {
    let day = try LongDay(source)
    defer { day.session.close() }
    try await day.open()
    #expect(try await day.session.idleFault() == nil, "the pictures have come")
  }

  /// What has been done once does not go on: each of these starts something that has to end.
  @Test func whatHasBeenDoneDoesNotGoOn() async throws {
    let day = try LongDay(.bundled)
    defer { day.session.close() }
    let session = day.session
    try await day.open()
    try await day.type(.init(keys: ["2"]))
    try await session.waitForText("1/32")
    session.type("jjjf")
    try await session.wait(for: "the button") { $0.followButton(of: "Hugo Vesper") == "✓ Following" }
    #expect(try await session.idleFault() == nil, "a member was followed")
    try await day.type(.init(keys: ["1", "/", "fig"]))
    try await session.waitForText("of \(day.photoCount)")
    #expect(try await session.idleFault() == nil, "something was searched for")
    try await day.type(.init(keys: [RandomKeys.escape, RandomKeys.escape, "uMe", "\r"]))
    try await session.waitForText("Hello Me!")
    #expect(try await session.idleFault() == nil, "the guestbook was signed")
    try await day.type(.init(keys: [RandomKeys.escape, "3"]))
    try await session.waitForText("1/12")
    try await day.type(.init(keys: ["b"]))
    try await session.waitForText("in the basket")
    #expect(try await session.idleFault() == nil, "a print was put in the basket")
    try await day.type(.init(keys: ["4"]))
    try await session.waitForText("Covers")
    #expect(try await session.idleFault() == nil, "covers were looked for")
    try await day.type(.init(keys: ["1", "vs"]))
    try await session.waitForText("▶")
    try await day.type(.init(keys: ["s", RandomKeys.escape]))
    #expect(try await session.idleFault() == nil, "a slideshow was ended")
  }
}
