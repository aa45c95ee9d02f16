import Foundation
import Harness
import Testing

// Tests with the files of the rooms.
extension TextControlTests {
  /// The texts are keys and values in the files of the rooms, or follow the place at which the JSON becomes invalid.
  @Test(arguments: [
    ("wall", "wall.json", "members"), ("prints", "prints.json", "prints"), ("covers", "music.json", "results"),
  ])
  func tortureFilesOfTheRooms(room: String, file: String, list: String) async throws {
    let contents = try Contents()
    let session = try TerminalSession(
      contents.executable, ["--delay", "0", "--pictures", "none", "--room", room], size: Self.size,
      environment: Program.environment.merging(["HOME": folder.path]) { $1 })
    defer { session.close() }
    for (number, text) in pieces(of: 30, atLength: 5).enumerated() {
      try await session.waitForText("Enter Ok")
      try contents.write(Self.faulty(list, text, number), to: file)
      session.type("\u{1B}")
      try await session.wait(for: "no alert") { !$0.contains("Enter Ok") }
      session.type("r")
    }
    try await session.waitForText("Enter Ok")
    session.type("\u{1B}")
    try await session.wait(for: "no alert") { !$0.contains("Enter Ok") }
    try await quit(session)
  }

  @Test(arguments: ["wall", "prints", "covers"]) func tortureTextsInTheRooms(room: String) async throws {
    let contents = try Contents()
    let texts = pieces(of: 8).map { String(decoding: $0, as: UTF8.self) }
    let pages = stride(from: 0, to: texts.count, by: 8).map { Array(texts[$0..<min($0 + 8, texts.count)]) }
    func write(_ number: Int) throws {
      let texts = pages[number].map { "N\(number) \($0)" }
      for (name, json) in try Self.rooms(of: texts) { try contents.write(json, to: name) }
    }
    try write(0)
    let session = try TerminalSession(
      contents.executable, ["--delay", "0", "--pictures", "none", "--room", room], size: Self.size,
      environment: Program.environment.merging(["HOME": folder.path]) { $1 })
    defer { session.close() }
    for number in pages.indices {
      try await session.waitForText("N\(number) ")
      guard number + 1 < pages.count else { break }
      try write(number + 1)
      session.type("r")
    }
    try await quit(session)
  }

  /// Returns the files of the rooms, with a row for each text.
  private static func rooms(of texts: [String]) throws -> [String: [UInt8]] {
    let members = texts.enumerated().map { ["id": $0, "name": $1, "avatar_url": $1] as [String: Any] }
    let items = texts.indices.map {
      ["id": $0, "created_at": "2017-11-06T14:48:50Z", "member": $0] as [String: Any]
    }
    let prints = texts.enumerated().map { number, text in
      [
        "id": number, "title": text, "image_url": text, "size": text, "paper": text, "left": 3,
        "price": ["minor_units": 5, "currency": text],
      ] as [String: Any]
    }
    let results = texts.map {
      ["trackName": $0, "collectionName": $0, "artistName": $0, "artworkUrl100": $0]
    }
    let files: [String: [String: Any]] = [
      "wall.json": ["members": members, "items": items], "prints.json": ["prints": prints],
      "music.json": ["results": results],
    ]
    return try files.mapValues { Array(try JSONSerialization.data(withJSONObject: $0)) }
  }

  /// Returns JSON with another value in place of a list, or JSON that ends inside a text.
  private static func faulty(_ list: String, _ text: [UInt8], _ number: Int) throws -> [UInt8] {
    let object = [String(decoding: text, as: UTF8.self): 1]
    let below = String(decoding: try JSONSerialization.data(withJSONObject: [list: object]), as: UTF8.self)
    switch number % 4 {
    case 0: return Array("{\"x\": \(below), \"\(list)\": 5}".utf8)
    case 1: return Array(below.utf8)
    case 2: return Array("{\"\(list)\": [{".utf8) + text
    default: return Array("{\"\(list)\": [], \"".utf8) + text
    }
  }
}
