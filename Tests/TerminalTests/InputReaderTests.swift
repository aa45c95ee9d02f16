import Gallery
import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) @MainActor struct InputReaderTests {
  /// The events that a reader reports.
  private final class Events {
    var all: [InputEvent] = []
  }

  /// A long frame may delay the rest of a key's sequence beyond its time, although it was there.
  @Test(arguments: [("[27u", [InputEvent.key(Key(.escape))]), ("x", [.key(Key(.escape)), .key("x")])])
  func anEscapeWaitsForWhatHasArrived(rest: String, expected: [InputEvent]) async {
    let (reader, events) = (InputReader(), Events())
    reader.onEvents = { events.all += $0 }
    await withCheckedContinuation { due in
      reader.hasMore = {
        due.resume()
        return true
      }
      reader.receive(Array("?\u{1B}".utf8))
    }
    reader.receive(Array(rest.utf8))
    #expect(events.all == [.key("?")] + expected)
  }

  @Test func anEscapeIsAKeyInTime() async {
    let (reader, events) = (InputReader(), Events())
    await withCheckedContinuation { escape in
      reader.onEvents = {
        events.all += $0
        if events.all.count == 2 { escape.resume() }
      }
      reader.receive(Array("?\u{1B}".utf8))
    }
    #expect(events.all == [.key("?"), .key(Key(.escape))])
  }
}
