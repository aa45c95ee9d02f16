import Foundation
import Harness
import TestLimit
import Testing
import Torture

@testable import hostile_worker

/// What the user sees of an image worker that a hostile file has taken over.
@Suite(.fewAtOnce, .limited) struct HijackedWorkerTests {
  /// The texts in place of the hostile photo; nil if its worker shows an image.
  private static let texts: [ImageAttack: String?] = [
    .answersTwice: nil, .floods: nil, .ends: "Can't decode the image", .claimsMuch: "Can't decode the image",
    .sendsMostCells: "Can't decode the image", .sendsOtherSequences: "Can't decode the image",
    .sendsListing: "Can't decode the image",
    .hasNoHeight: "Can't decode the image", .isHuge: nil, .hasManyFrames: nil, .isNeverSharp: nil, .isLongFilm: nil,
    .hasLongReason: "Can't decode the image", .hasEscapes: "a�]0;b��31mc", .hasExtremes: "Damaged image",
    .hasLargeSize: "pixels", .passesDescriptors: nil,
  ]

  /// The attacks that the gallery can't tell from an answer about a damaged photo. Their worker stays, and may say that of others.
  private static let lies: Set<ImageAttack> = [.hasEscapes, .hasExtremes, .hasLargeSize]

  @Test(arguments: texts.keys.sorted { $0.rawValue < $1.rawValue })
  func aHijackedWorkerIsReplacedTorture(attack: ImageAttack) async throws {
    let program = try HijackedProgram(attack.rawValue, photos: ["a.jpg", "hostile.jpg", "z.jpg"])
    let session = try program.start(["--pictures", "symbols", "--delay", "0"])
    defer { session.close() }
    // A worker that lies may already have been taken over by the next photo, which is prepared.
    try await session.waitForTexts("1/3", Self.lies.contains(attack) ? "Path" : "########")
    let before = try ProcessFigures(of: session.processID)
    session.type("j")
    try await session.waitForTexts("2/3", Self.texts[attack].flatMap(\.self) ?? "########")
    session.type("v")
    try await session.waitForTexts("Esc Back")
    // All that changes the part of an image that is shown, and its size.
    session.type("+++zZ--Z+z")
    session.type("\u{1B}[27u\u{1B}[27uj")
    let next = Self.lies.contains(attack) ? "3/3" : "########"
    try await session.waitForTexts("3/3", next)
    for _ in 0..<Torture.rounds(2, long: 100) {
      session.type("k")
      try await session.waitForTexts("2/3")
      session.type("\u{0C}j")
      try await session.waitForTexts("3/3", next)
    }
    let after = try ProcessFigures(of: session.processID)
    #expect(after.memory - before.memory < 20 << 10, "\(before), then \(after)")
    #expect(after.descriptors <= before.descriptors + 2, "\(before), then \(after)")
    session.type("?")
    try await session.waitForText("─ Commands")
    #expect(OutputGrammar.faults(in: session.output, at: .gallery).isEmpty)
    session.type("\u{1B}[27uq")
    #expect(try await session.waitForExit() == .exited(0))
    try await session.expectGivenBack()
    #expect(program.startedCount < 20, "\(program.startedCount) processes")
  }
}
