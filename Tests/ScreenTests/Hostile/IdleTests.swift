import Harness
import TestLimit
import Testing

/// An idle program does not wake: no thread of the gallery or of its workers runs for some seconds.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct IdleTests {
  @Test(arguments: LongDay.Source.allCases)
  func theGalleryDoesNotWakeWhileItWaitsForAKey(source: LongDay.Source) async throws {
    let day = try LongDay(source)
    defer { day.session.close() }
    try await day.open()
    try await expectIdle(day.session, after: "the images came")
  }

  /// Each of these actions starts something that has to end.
  @Test func theGalleryDoesNotWakeAfterAnAction() async throws {
    let day = try LongDay(.bundled)
    defer { day.session.close() }
    let session = day.session
    try await day.open()
    try await day.type(.init(keys: ["gw"]))
    try await session.waitForText("1/32")
    session.type("jjjf")
    try await session.wait(for: "the button") { $0.followButton(of: "Hugo Vesper") == "✓ Following" }
    try await expectIdle(session, after: "following a member")
    try await day.type(.init(keys: ["gp", "/", "fig"]))
    try await session.waitForText("of \(day.photoCount)")
    try await expectIdle(session, after: "a search")
    try await day.type(.init(keys: [RandomKeys.escape, RandomKeys.escape, "gu", "Me", "\r"]))
    try await session.waitForText("Hello Me!")
    try await expectIdle(session, after: "signing the guestbook")
    try await day.type(.init(keys: [RandomKeys.escape, "gr"]))
    try await session.waitForText("1/12")
    try await day.type(.init(keys: ["b"]))
    try await session.waitForText("in the basket")
    try await expectIdle(session, after: "putting a print into the basket")
    try await day.type(.init(keys: ["gc"]))
    try await session.waitForText("Covers")
    try await expectIdle(session, after: "looking for covers")
    try await day.type(.init(keys: ["gp", "vP"]))
    try await session.waitForText("▶")
    try await day.type(.init(keys: ["P", RandomKeys.escape]))
    try await expectIdle(session, after: "ending a slideshow")
  }

  private func expectIdle(_ session: TerminalSession, after event: String) async throws {
    let fault = try await session.idleFault()
    #expect(fault == nil, "after \(event)")
  }
}
