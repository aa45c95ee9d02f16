import Foundation
import Gallery
import TestLimit
import Testing

@testable import Finding

@Suite(.limited) struct PhotoQueryTests {
  typealias Term = PhotoQuery.Term

  private static func query(_ text: String) throws(QueryError) -> PhotoQuery {
    try PhotoQuery(text)
  }

  private static func words(
    _ words: String..., in field: PhotoQuery.SearchedText? = nil, isNegated: Bool = false
  ) -> Term {
    Term(isNegated: isNegated, test: .words(words.map { WordPattern(bytes: Array($0.utf8)) }, in: field))
  }

  private static func field(_ name: String) -> PhotoQuery.SearchedText {
    guard case .words(let field) = QueryField(name: name) else { preconditionFailure("no text is named \(name)") }
    return field
  }

  private static func number(_ name: String, _ range: ClosedRange<Float>, isNegated: Bool = false) -> Term {
    guard case .number(let number, _) = QueryField(name: name) else {
      preconditionFailure("no number is named \(name)")
    }
    return Term(isNegated: isNegated, test: .number(number, range))
  }

  private static func has(_ name: String, isNegated: Bool = false) -> Term {
    guard let feature = PhotoQuery.Feature.all.first(where: { $0.name == name }) else {
      preconditionFailure("no feature is named \(name)")
    }
    return Term(isNegated: isNegated, test: .has(feature))
  }

  private static func seconds(_ text: String) throws -> Double {
    try #require(Timestamp(text + "Z")).seconds
  }

  @Test(
    arguments: [
      ("", []),
      ("  \t ", []),
      ("Harbour", [words("harbour")]),
      ("fog  Café", [words("fog"), words("cafe")]),
      ("red-lantern x.jpg", [words("red-lantern"), words("x.jpg")]),
      ("- ! -- \" \"\" ... :", []),
      ("f/2.8, (now)", [words("f"), words("2.8"), words("now")]),
      ("-fog !rain", [words("fog", isNegated: true), words("rain", isNegated: true)]),
      ("12:30", [words("12"), words("30")]),
      ("\"camera:x\"", [words("camera"), words("x")]),
      ("camera:", []),
      ("camera: fog", [words("fog")]),
      ("CAMERA:X100", [words("x100", in: .camera)]),
      ("camera:\"fujifilm x100\"", [words("fujifilm", in: .camera), words("x100", in: .camera)]),
      ("-camera:\"fujifilm x100", [words("fujifilm", "x100", in: .camera, isNegated: true)]),
      ("name:a:b", [words("a", in: .name), words("b", in: .name)]),
      (
        "lens:50 author:eve keyword:sea file:img description:sun",
        [
          words("50", in: field("lens")), words("eve", in: .author), words("sea", in: field("keyword")),
          words("img", in: .file),
          words("sun", in: .description),
        ]
      ),
      ("for:sale", [Term(test: .isForSale(true))]),
      ("-for:No", [Term(isNegated: true, test: .isForSale(false))]),
      ("for:sa", []),
      ("has:gps -has:keywords", [has("gps"), has("keywords", isNegated: true)]),
      ("has:g", []),
      ("rating:4", [number("rating", 4...4)]),
      ("rating:=-1", [number("rating", -1 ... -1)]),
      ("rating:>=4", [number("rating", 4...Float.infinity)]),
      ("rating:-1..0", [number("rating", -1...0)]),
      ("iso:>1600", [number("iso", Float(1600).nextUp...Float.infinity)]),
      ("size:>20", [number("size", Float(20).nextUp...Float.infinity)]),
      ("width:<=10", [number("width", -Float.infinity...10)]),
      ("height:<10", [number("height", -Float.infinity...Float(10).nextDown)]),
      ("aperture:1.4..2.8", [number("aperture", 1.4...2.8)]),
      ("exposure:1/250", [number("exposure", 0.004...0.004)]),
      ("bias:-1", [number("bias", -1 ... -1)]),
      ("ev:>0", [number("bias", Float(0).nextUp...Float.infinity)]),
      ("shutter:.5", [number("exposure", 0.5...0.5)]),
      ("rating>=4", [number("rating", 4...Float.infinity)]),
      ("rating >= 4", [number("rating", 4...Float.infinity)]), ("rating≥4", [number("rating", 4...Float.infinity)]),
      ("rating:≥4", [number("rating", 4...Float.infinity)]), ("rating=>4", [number("rating", 4...Float.infinity)]),
      ("rating = 4", [number("rating", 4...4)]), ("rating: 4", [number("rating", 4...4)]),
      ("iso ≤ 400", [number("iso", -Float.infinity...400)]), ("iso =< 400", [number("iso", -Float.infinity...400)]),
      ("rating=5", [number("rating", 5...5)]),
      ("rating==5", [number("rating", 5...5)]),
      ("-ISO>1600", [number("iso", Float(1600).nextUp...Float.infinity, isNegated: true)]),
      ("width<=10 fog", [number("width", -Float.infinity...10), words("fog")]),
      ("aperture<", []),
      ("camera=x100", [words("x100", in: .camera)]),
      ("is=picked", [number("rating", 1...Float.infinity)]),
      // These are no fields.
      ("e=mc2", [words("e=mc2")]), ("a>b", [words("a"), words("b")]), ("\"rating>4\"", [words("rating"), words("4")]),
      ("is:picked", [number("rating", 1...Float.infinity)]),
      ("-is:rejected", [number("rating", -1 ... -1, isNegated: true)]),
      ("is:unrated", [number("rating", 0...0)]),
      ("is:labeled", [has("label")]),
      ("is:for-sale", [Term(test: .isForSale(true))]),
      (
        "label:red folder:lofoten keywords:sea",
        [
          words("red", in: field("label")), words("lofoten", in: .folder), words("sea", in: field("keyword")),
        ]
      ),
      // All that follows is for the server.
      (
        "sea smart:a dog: on  the -beach ",
        [words("sea"), Term(test: .has(.init(name: "smart", source: .set(.fitting("a dog: on  the -beach")))))]
      ),
      ("smart:", []), ("smart: ", []), ("in:", []), ("is:in:", []),
      (
        "in:Portfolio -in:\"Best of 2025\" is:in:\"A b\"",
        [
          Term(test: .has(.init(name: "in", source: .set(.collection("Portfolio"))))),
          Term(isNegated: true, test: .has(.init(name: "in", source: .set(.collection("Best of 2025"))))),
          Term(test: .has(.init(name: "in", source: .set(.collection("A b"))))),
        ]
      ),
      ("iso:100..400", [number("iso", 100...400)]),
      ("iso:100..", [number("iso", 100...Float.infinity)]),
    ] as [(String, [Term])])
  func wordsAndFieldsAreParsed(text: String, terms: [Term]) throws {
    #expect(try Self.query(text).terms == terms)
  }

  @Test(
    arguments: [
      ("year:2017", "2017-01-01T00:00", "2018-01-01T00:00"),
      ("date:2017", "2017-01-01T00:00", "2018-01-01T00:00"),
      ("date:2017-12", "2017-12-01T00:00", "2018-01-01T00:00"),
      ("date:2016-02-28", "2016-02-28T00:00", "2016-02-29T00:00"),
      ("date:2016-02-29", "2016-02-29T00:00", "2016-03-01T00:00"),
      ("year:2015..2017", "2015-01-01T00:00", "2018-01-01T00:00"),
      ("after:2017-06", "2017-06-01T00:00", nil),
      ("before:2017-06", nil, "2017-06-01T00:00"),
      ("date:>2017", "2018-01-01T00:00", nil),
      ("date:<=2017-06-30", nil, "2017-07-01T00:00"),
      ("date:9999", "9999-01-01T00:00", nil),
      ("taken:today", "2017-08-16T00:00", "2017-08-17T00:00"),
      ("date:yesterday", "2017-08-15T00:00", "2017-08-16T00:00"),
      ("date:this-week", "2017-08-14T00:00", "2017-08-21T00:00"),
      ("date:last-week", "2017-08-07T00:00", "2017-08-14T00:00"),
      ("date:this-month", "2017-08-01T00:00", "2017-09-01T00:00"),
      ("date:last-month", "2017-07-01T00:00", "2017-08-01T00:00"),
      ("date:this-year", "2017-01-01T00:00", "2018-01-01T00:00"),
      ("date:last-year", "2016-01-01T00:00", "2017-01-01T00:00"),
      // This summer is not over yet.
      ("date:last-summer", "2016-06-01T00:00", "2016-09-01T00:00"),
      ("date:last-spring", "2017-03-01T00:00", "2017-06-01T00:00"),
      ("date:last-fall", "2016-09-01T00:00", "2016-12-01T00:00"),
      ("date:last-winter", "2016-12-01T00:00", "2017-03-01T00:00"),
      ("date:winter-2015", "2015-12-01T00:00", "2016-03-01T00:00"),
      ("date:autumn-2015..last-month", "2015-09-01T00:00", "2017-08-01T00:00"),
      ("date:august", "2017-08-01T00:00", "2017-09-01T00:00"),
      ("date:last-august", "2016-08-01T00:00", "2016-09-01T00:00"),
      ("taken:September", "2016-09-01T00:00", "2016-10-01T00:00"),
      ("taken:june-2014..july", "2014-06-01T00:00", "2014-08-01T00:00"),
      ("taken:december..february", "2016-12-01T00:00", "2017-03-01T00:00"),
      ("taken:..july", nil, "2017-08-01T00:00"),
      ("date:winter", "2016-12-01T00:00", "2017-03-01T00:00"),
      ("after:last-week", "2017-08-07T00:00", nil),
      ("before:Today", nil, "2017-08-16T00:00"),
    ] as [(String, String?, String?)])
  func datesAreParsedAsTimesOfThePhotosOwnClock(text: String, start: String?, end: String?) throws {
    let first = try start.map(Self.seconds) ?? -Double.infinity
    let last = try end.map(Self.seconds) ?? Double.infinity
    #expect(try Self.query(text).terms == [Term(test: .date(first..<last))])
  }

  /// In its January, the winter before is not the last one that is over.
  @Test func thisWinterIsNotOverInItsSecondYear() throws {
    let query = try PhotoQuery("date:last-winter", now: try #require(CalendarTime(year: 2017, month: 1, day: 15)))
    let winter = try Self.seconds("2015-12-01T00:00")..<Self.seconds("2016-03-01T00:00")
    #expect(query.terms == [Term(test: .date(winter))])
  }

  @Test func datesAreComparedWithoutAColon() throws {
    for text in ["date>2017", "taken>=2017-06", "year<2016", "after=2017-06"] {
      let name = text.prefix(while: \.isLetter)
      let value = text.dropFirst(name.count)
      #expect(try Self.query(text) == Self.query("\(name):\(value.drop { $0 == "=" })"), "\(text)")
    }
  }

  @Test(arguments: [("ratng:5", "rating"), ("ratng>=5", "rating"), ("camrea:x", "camera"), ("keywrod:x", "keyword")])
  func aMisspelledFieldIsCorrected(text: String, field: String) throws {
    let error = #expect(throws: QueryError.self) { try Self.query(text) }
    #expect(error?.message.contains("Did you mean \(field):?") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "date:2", "date:20", "date:201", "date:2017-", "date:2017-1", "date:2017-01-", "date:2017-01-3", "date:>",
    "date:>=", "date:>20", "date:2017.", "date:2017..20", "date:tod", "date:last", "date:last-", "date:last-su",
    "date:today.", "date:2017..la", "date:>this-", "date:summe", "date:summer-", "date:summer-201", "after:last-",
    "rating:", "rating:>", "rating:-", "rating:5..3", "iso:.", "iso:>=", "iso:100.", "aperture:1.", "aperture:1.4.",
    "aperture:<1.", "exposure:1/", "near:4", "near:47.", "near:-", "near:47,", "near:47,8.", "near:47,8,",
    "near:47,8,10k", "is:pi", "is:", "has:g",
  ])
  func anIncompleteValueMatchesEverything(text: String) throws {
    #expect(try Self.query(text).isEmpty)
    if !text.hasSuffix(":") { #expect(throws: QueryError.self) { try Self.query(text + " fog") } }
  }

  @Test(arguments: [
    "today..last-week", "foo..20", ">2017..20", "2018..2017", "2019..2017", "this-year..last-year",
    "2017-01-02..2017-01-01",
  ])
  func anInvalidOrEmptyRangeIsAnError(range: String) {
    #expect(
      throws: QueryError.wrongValue(
        range, field: "date", expected: "a date such as 2017, 2017-06, 2017-06-30, june, 2015..2017 or last-week")
    ) {
      try Self.query("date:\(range)")
    }
  }

  /// Maps copy places in this way.
  @Test func aPlaceMayHaveSpacesAfterItsCommas() throws {
    #expect(try Self.query("near:47.4, 8.5,  10km fog") == Self.query("near:47.4,8.5,10km fog"))
    for text in ["near:47.4, ", "Near:47.4, 8"] { #expect(throws: Never.self) { try Self.query(text) } }
    #expect(throws: QueryError.self) { try Self.query("near:47.4,8.5, fog") }
    #expect(try Self.query("folder:a, b").terms.count == 2)
  }

  @Test(arguments: ["2015", "2015-08", "2015-08-14", "-2015", "\"2015\""])
  func aWordThatIsADateFindsThePhotosOfThatTime(text: String) throws {
    let term = try #require(try Self.query(text).terms.first)
    guard case .words(let words, nil, let period?) = term.test else { throw QueryError.unknownField(text) }
    #expect(words.count == 1 && term.isNegated == text.hasPrefix("-"))
    let date = text.filter { $0.isNumber || $0 == "-" }.drop { $0 == "-" }
    #expect(try Self.query("date:\(date)").terms == [Term(test: .date(period))])
  }

  @Test(arguments: ["0815-13", "2015-2", "2015-02-30", "20155", "today", "name:2015", "2015-08-14-1"])
  func otherWordsAreNoDates(text: String) throws {
    guard case .words(_, _, nil) = try Self.query(text).terms.first?.test else { throw QueryError.unknownField(text) }
  }

  @Test(
    arguments: [
      (
        "foo:bar",
        "Unknown field “foo”. Fields: date, year, after, before, name, description, camera, lens, codec, "
          + "keyword, label, alt, creator, copyright, credit, terms, location, city, state, country, prompt, generated, author, folder, file, rating, iso, aperture, exposure, focal, bias, width, height, size, "
          + "kind, movie, duration, latitude, longitude, near, for, is, has, in, smart. Put text with a colon in quotes."
      ),
      (
        "ölm:",
        "Unknown field “ölm”. Fields: date, year, after, before, name, description, camera, lens, codec, "
          + "keyword, label, alt, creator, copyright, credit, terms, location, city, state, country, prompt, generated, author, folder, file, rating, iso, aperture, exposure, focal, bias, width, height, size, "
          + "kind, movie, duration, latitude, longitude, near, for, is, has, in, smart. Put text with a colon in quotes."
      ),
      ("year:x", "year: unknown value “x”. Use a year such as 2017, or 2015..2017."),
      ("year:20 fog", "year: unknown value “20”. Use a year such as 2017, or 2015..2017."),
      ("year:2017-06", "year: unknown value “2017-06”. Use a year such as 2017, or 2015..2017."),
      (
        "after:2017-13",
        "after: unknown value “2017-13”. Use a date such as 2017, 2017-06, 2017-06-30, june or last-week."
      ),
      (
        "date:2017-02-29",
        "date: unknown value “2017-02-29”. Use a date such as 2017, 2017-06, 2017-06-30, june, 2015..2017 or last-week."
      ),
      (
        "date:20175",
        "date: unknown value “20175”. Use a date such as 2017, 2017-06, 2017-06-30, june, 2015..2017 or last-week."
      ),
      (
        "date:last-decade",
        "date: unknown value “last-decade”. Use a date such as 2017, 2017-06, 2017-06-30, june, 2015..2017 or last-week."
      ),
      ("year:last-year", "year: unknown value “last-year”. Use a year such as 2017, or 2015..2017."),
      ("year:today", "year: unknown value “today”. Use a year such as 2017, or 2015..2017."),
      ("year:to", "year: unknown value “to”. Use a year such as 2017, or 2015..2017."),
      ("year:2017-", "year: unknown value “2017-”. Use a year such as 2017, or 2015..2017."),
      ("after:>20", "after: unknown value “>20”. Use a date such as 2017, 2017-06, 2017-06-30, june or last-week."),
      ("rating:good", "rating: unknown value “good”. Use a number of stars such as 4, >=4 or 3..5."),
      ("rating:5..3 x", "rating: unknown value “5..3”. Use a number of stars such as 4, >=4 or 3..5."),
      ("iso:4-", "iso: unknown value “4-”. Use a sensitivity such as 400, >1600 or 100..400."),
      ("exposure:1/0 x", "exposure: unknown value “1/0”. Use seconds such as 1/250, <1/500 or 0.5..2."),
      ("near:91,8", "near: unknown value “91,8”. Use latitude,longitude,distance such as 47.4,8.5,10km."),
      ("near:47,8,10ly", "near: unknown value “47,8,10ly”. Use latitude,longitude,distance such as 47.4,8.5,10km."),
      (
        "is:good",
        "is: unknown value “good”. Use picked, rejected, unrated, labeled, marked, duplicate, for-sale, video, "
          + "animation, raw, live, favorite."
      ),
      ("width:1e3", "width: unknown value “1e3”. Use a number of pixels such as 4000, >=4000 or 1000..4000."),
      ("for:rent", "for: unknown value “rent”. Use sale or no."),
      (
        "has:\u{1B}",
        "has: unknown value “\u{FFFD}”. Use gps, rating, label, keywords, description, camera, lens, author, iso, "
          + "date, creator, copyright, city, country, prompt, favorite, mark, duplicates."
      ),
      (
        "has:g fog",
        "has: unknown value “g”. Use gps, rating, label, keywords, description, camera, lens, author, iso, date, creator, copyright, city, country, prompt, "
          + "favorite, mark, duplicates."
      ),
    ] as [(String, String?)])
  func anInvalidQueryFailsWithAMessage(text: String, message: String?) {
    var said: String?
    do throws(QueryError) { _ = try Self.query(text) } catch { said = error.message }
    #expect(said == message)
  }

  /// A query finds a field by its name, and a search compares fields by their names.
  @Test func theNamesOfFieldsAndFeaturesAreUnique() {
    for names in [QueryField.all.map(\.name), PhotoQuery.Feature.all.map(\.name)] {
      #expect(Set(names).count == names.count, "\(names)")
      #expect(names.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() && $0.allSatisfy(\.isLetter) }, "\(names)")
    }
    #expect(PhotoQuery.SearchedText.all.allSatisfy { $0.weight <= 3 }, "a mark has two bits for the weight")
  }

  @Test(arguments: [
    ("h", "ha", true), ("", "x", true), ("ha", "h", false), ("ha", "ha", true), ("a b", "b a", true),
    ("a", "a b", true), ("a b", "a", false), ("-ha", "-har", false), ("-ha", "-ha x", true),
    ("rating:4", "rating:4 x", true),
    ("rating:4", "rating:5", false), ("camera:x", "camera:x1", true), ("camera:x", "x1", false),
    ("x", "camera:x", false),
    ("camera:", "camera:x", true), ("year:201", "year:2017", true),
    // A date finds photos that its beginning, as a word, does not.
    ("201", "2017", false), ("2017", "2017-0", true), ("2017-0", "2017-08", false), ("2017", "2017-08", true),
    ("2017", "20170", true),
  ])
  func aQueryNarrowsOneThatItExtends(before: String, after: String, narrows: Bool) throws {
    #expect(try Self.query(after).narrows(try Self.query(before)) == narrows)
  }
}

extension PhotoQuery {
  /// Parses a query as on 2017-08-16, a Wednesday, at noon.
  init(_ text: String) throws(QueryError) { try self.init(text, now: CalendarTime(clock: 1_502_884_800)) }
}
