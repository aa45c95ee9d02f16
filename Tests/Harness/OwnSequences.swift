/// The control sequences that the program writes.
///
/// The patterns are properties, since a function would compile its regular expressions at each call.
struct OwnSequences {
  private let questions: Set = [
    "\u{1B}]11;?\u{1B}\\", "\u{1B}[>0q", "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
    "\u{1B}]1337;ReportCellSize\u{07}", "\u{1B}[?1;1;0S", "\u{1B}[16t", "\u{1B}[?2026$p", "\u{1B}[?5522$p",
    "\u{1B}[c", "\u{1B}[0;48:2::1:2:3m", "\u{1B}P$qm\u{1B}\\", "\u{1B}P+q524742\u{1B}\\",
  ]
  private let paletteQuestion = /\u{1B}\]4;(?:[0-9]|1[0-5]);\?\u{1B}\\/
  private let fileQuestion = /\u{1B}_Gi=32,s=1,v=1,a=q,t=t,f=24;[A-Za-z0-9+\/=]+\u{1B}\\/
  /// The colors of xterm-direct, of xterm-256color and of the color bar. No color is set by a number from 30 to 47.
  private let color =
    /\u{1B}\[(?:|39|49|39;49|0(?:;[1247])*|[34]8:2::\d{1,3}:\d{1,3}:\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3}|[34]8;5;\d{1,3})m/
  /// The beginning of a link to a file, a web page or a map, and the end of a link (OSC 8).
  private let hyperlink = /\u{1B}\]8;;(?:(?:file|https?):\/\/[\x21-\x7E]+)?\u{1B}\\/
  private let endingModes: Set = [
    "?12l", "?25h", "?25l", "?1000l", "?1002l", "?1004l", "?1006l", "?1049l", "?2004l", "?2026l", "23;0;0t",
  ]
  private let drawingModes: Set = [
    "?1000h", "?1002h", "?1004h", "?1006h", "?1049h", "?2004h", "?2026h", "22;0;0t", "?7h", "?7l", "4l",
  ]
  /// Sequences that move the cursor, clear, delete, insert and scroll. No screen of the tests has a thousand rows or
  /// columns.
  private let drawing = /\u{1B}\[(?:\d{1,3}(?:;\d{1,3})?)?[HABCDGdJKXPLMSTr@b]/

  /// Returns whether the program writes the sequence in a place.
  func contains(_ sequence: String, at place: OutputGrammar.Place) -> Bool {
    switch place {
    case .shell: sequence == "\u{1B}[K"
    case .images: isQuestion(sequence) || isColor(sequence) || isEnding(sequence)
    case .gallery: isQuestion(sequence) || isColor(sequence) || isEnding(sequence) || isDrawing(sequence)
    }
  }

  private func isQuestion(_ sequence: String) -> Bool {
    questions.contains(sequence) || matches(sequence, paletteQuestion) || matches(sequence, fileQuestion)
  }

  private func isColor(_ sequence: String) -> Bool { matches(sequence, color) }

  private func isEnding(_ sequence: String) -> Bool {
    sequence == "\u{1B}\\" || sequence == "\u{1B}(B" || endingModes.contains(String(sequence.dropFirst(2)))
  }

  private func isDrawing(_ sequence: String) -> Bool {
    // ncurses saves and restores the cursor's position where it scrolls a part of the screen, up or down.
    drawingModes.contains(String(sequence.dropFirst(2))) || ["\u{1B}7", "\u{1B}8", "\u{1B}M"].contains(sequence)
      || matches(sequence, drawing) || matches(sequence, hyperlink)
  }

  private func matches(_ sequence: String, _ pattern: Regex<Substring>) -> Bool {
    (try? pattern.wholeMatch(in: sequence)) != nil
  }
}
