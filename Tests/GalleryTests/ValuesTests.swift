import Gallery
import TestLimit
import Testing

@Suite(.limited) struct ValuesTests {
  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_999, "999 kB"), (1_000_000, "1 MB"), (999_999_999, "999 MB"),
      (1_000_000_000, "1.0 GB"), (12_990_000_000, "12.9 GB"), (1_000_000_000_000, "1.0 TB"),
      (2_450_000_000_000, "2.4 TB"),
    ] as [(Int64, String)])
  func aFileSizeIsRoundedDown(size: Int64, text: String) { #expect(size.fileSizeText == text) }

  @Test(
    arguments: [
      (0, "", nil), (9, "x", CommandFault.signal(9)), (0x100, "", .status(1, message: "")),
      (0x7F00, "one\nsh: no\u{1B}\n \n", .status(127, message: "sh: no\u{FFFD}")),
    ] as [(Int32, String, CommandFault?)])
  func aCommandThatFailedSaysWhy(status: Int32, messages: String, fault: CommandFault?) {
    #expect(CommandFault(status: status, messages: Array(messages.utf8)) == fault)
  }

  @Test func labelsHaveTheNamesOfOtherPrograms() {
    let names = ["Select", "second", "APPROVED", "Review", "To Do", "red", "Purple", "", "infrared"]
    #expect(names.map { ColorLabel(name: $0) } == [.red, .yellow, .green, .blue, .purple, .red, .purple, nil, nil])
  }

  @Test(arguments: [
    (2400, "EUR", "24.00 EUR"), (5, "EUR", "0.05 EUR"), (0, "USD", "0.00 USD"), (-150, "USD", "-1.50 USD"),
    (1200, "JPY", "1200 JPY"), (0, "JPY", "0 JPY"), (1234, "KWD", "1.234 KWD"), (7, "CLF", "0.0007 CLF"),
    (.min, "JPY", "-9223372036854775808 JPY"),
  ])
  func moneyHasTheDigitsOfItsCurrency(minorUnits: Int, currency: String, text: String) {
    #expect(Money(minorUnits: minorUnits, currency: currency).text == text)
  }

  @Test func aBasketAddsUpEachCurrency() {
    func line(_ id: Int, _ minorUnits: Int, _ currency: String, _ quantity: Int) -> Basket.Line {
      Basket.Line(
        printID: id, title: "", price: Money(minorUnits: minorUnits, currency: currency), quantity: quantity)
    }
    let basket = Basket(lines: [line(1, 250, "USD", 1), line(2, 100, "EUR", 2), line(3, 50, "EUR", 1)])
    #expect(basket.totals.map(\.text) == ["2.50 EUR", "2.50 USD"])
    #expect(basket.count == 4)
    #expect(basket.quantity(of: 2) == 2)
    #expect(basket.quantity(of: 9) == 0)
  }

  @Test(arguments: [
    (80, "http://h/100x100/a100x100bb.jpg"), (101, "http://h/100x100/a300x300bb.jpg"),
    (300, "http://h/100x100/a300x300bb.jpg"), (301, "http://h/100x100/a600x600bb.jpg"),
  ])
  func artworkComesInTheRequestedSize(pixels: Int, url: String) {
    let track = Track(
      id: 1, trackName: "", collectionName: "", artistName: "", artwork: .web("http://h/100x100/a100x100bb.jpg"))
    #expect(track.artwork(pixels: pixels) == .web(url))
  }

  @Test func artworkOfOneSizeIsUnchanged() {
    for artwork in [ImageLocation.file("/p/100x100.jpg"), .web("http://h/a.jpg")] {
      let track = Track(id: 1, trackName: "", collectionName: "", artistName: "", artwork: artwork)
      #expect(track.artwork(pixels: 500) == artwork)
    }
  }
}

@Suite(.limited) struct FilePathTests {
  @Test func aRelativePathIsResolvedAgainstTheWorkingFolder() {
    for (typed, path) in [
      ("a.jpg", "/w/x/a.jpg"), ("./a/../b.jpg", "/w/x/b.jpg"), ("../c", "/w/c"), ("../../../..", "/"),
      ("/d//e/", "/d/e"),
      (".", "/w/x"), ("", "/w/x"), ("..a", "/w/x/..a"), ("/", "/"),
    ] {
      #expect(FilePath(typed.utf8, in: "/w/x") == FilePath(path), "\(typed)")
    }
    #expect(FilePath([0xE9, 0x2E], in: "/").bytes == [0x2F, 0xE9, 0x2E])
  }
}
