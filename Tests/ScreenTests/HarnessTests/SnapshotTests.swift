import Harness
import Testing

extension HarnessTests {
  @Suite struct SnapshotTests {
    private let size = Size(columns: 12, rows: 4)
    private let text = "\u{1B}[1;34ma世\u{1B}[mb\r\n\u{1B}[48;2;16;32;48m  \u{1B}[2;4mx\u{1B}[m|"

    @Test func aSnapshotHasTextMapAndLegend() throws {
      let screen = try display(text, size: size).waitForText("|")
      #expect(
        screen.snapshot() == """
          │a世b        │
          │  x|        │
          │            │
          │            │

          │aaa.........│
          │bbc.........│
          a = fg 4 bg default bold
          b = fg default bg #102030
          c = fg default bg #102030 dim underline

          """)
      assertSnapshot(screen, named: "colored")
    }

    @Test func aPlainScreenHasNoMap() throws {
      #expect(try display("x", size: Size(columns: 3, rows: 1)).waitForText("x").snapshot() == "│x  │\n")
    }

    @Test func differencesAndMissingFilesAreIssues() throws {
      let screen = try display("other", size: size).waitForText("other")
      withKnownIssue {
        assertSnapshot(screen, named: "colored")
      } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        return text.contains("- │a世b        │") && text.contains("+ │other       │")
      }
      withKnownIssue {
        assertSnapshot(screen, named: "missing")
      } matching: { issue in
        issue.comments.contains { $0.rawValue.contains("there is no snapshot") }
      }
    }
  }
}
