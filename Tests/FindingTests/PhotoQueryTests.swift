import Foundation
import Gallery
import Testing

@testable import Finding

@Suite struct PhotoQueryTests {
  typealias Term = PhotoQuery.Term

  private static func query(_ text: String) throws(QueryError) -> PhotoQuery {
    try PhotoQuery(text)
  }

  private static func words(
    _ words: String..., in field: PhotoQuery.TextField? = nil, isNegated: Bool = false
  ) -> Term {
    Term(isNegated: isNegated, test: .words(words.map { WordPattern(bytes: Array($0.utf8)) }, in: field))
  }

  private static func field(_ name: String) -> PhotoQuery.TextField {
    guard case .words(let field) = QueryField(name: name) else { preconditionFailure("no text is named \(name)") }
    return field
  }

  private static func number(_ name: String, _ range: ClosedRange<Int>) -> Term {
    guard case .number(let number, _) = QueryField(name: name) else {
      preconditionFailure("no number is named \(name)")
    }
    return Term(test: .number(number, range))
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
      ("rating:>=4", [number("rating", 4...Int.max)]),
      ("iso:>1600", [number("iso", 1601...Int.max)]),
      ("width:<=10 height:<10", [number("width", Int.min...10), number("height", Int.min...9)]),
      ("iso:100..400", [number("iso", 100...400)]),
      ("iso:100..", [number("iso", 100...Int.max)]),
      ("iso:>=", []),
      ("iso:100.", []),
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
    ] as [(String, String?, String?)])
  func datesAreParsedAsTimesOfThePhotosOwnClock(text: String, start: String?, end: String?) throws {
    let first = try start.map(Self.seconds) ?? -Double.infinity
    let last = try end.map(Self.seconds) ?? Double.infinity
    #expect(try Self.query(text).terms == [Term(test: .date(first..<last))])
  }

  @Test(arguments: [
    "2", "20", "201", "2017-", "2017-1", "2017-01-", "2017-01-3", ">", ">=", ">20", "2017.", "2017..20",
  ])
  func anIncompleteDateMatchesEverything(text: String) throws {
    #expect(try Self.query("date:\(text)").isEmpty)
  }

  @Test(
    arguments: [
      (
        "foo:bar",
        "Unknown field “foo”. Fields: date, year, after, before, name, description, camera, lens, "
          + "keyword, author, file, for, rating, iso, width, height, has. Put text with a colon in quotes."
      ),
      (
        "ölm:",
        "Unknown field “ölm”. Fields: date, year, after, before, name, description, camera, lens, "
          + "keyword, author, file, for, rating, iso, width, height, has. Put text with a colon in quotes."
      ),
      ("year:x", "year: unknown value “x”. Use a year such as 2017, or 2015..2017."),
      ("year:20 fog", "year: unknown value “20”. Use a year such as 2017, or 2015..2017."),
      ("year:2017-06", "year: unknown value “2017-06”. Use a year such as 2017, or 2015..2017."),
      ("after:2017-13", "after: unknown value “2017-13”. Use a date such as 2017, 2017-06 or 2017-06-30."),
      (
        "date:2017-02-29",
        "date: unknown value “2017-02-29”. Use a date such as 2017, 2017-06 or 2017-06-30, or "
          + "2015..2017."
      ),
      ("date:20175", "date: unknown value “20175”. Use a date such as 2017, 2017-06 or 2017-06-30, or 2015..2017."),
      ("rating:good", "rating: unknown value “good”. Use a number of stars such as 4, >=4 or 3..5."),
      ("rating:5..3", "rating: unknown value “5..3”. Use a number of stars such as 4, >=4 or 3..5."),
      (
        "iso:99999999999999999999",
        "iso: unknown value “99999999999999999999”. Use a sensitivity such as 400, >1600 or "
          + "100..400."
      ),
      (
        "iso:>9223372036854775807",
        "iso: unknown value “>9223372036854775807”. Use a sensitivity such as 400, >1600 or "
          + "100..400."
      ),
      ("width:1e3", "width: unknown value “1e3”. Use a number of pixels such as 4000, >=4000 or 1000..4000."),
      ("for:rent", "for: unknown value “rent”. Use sale or no."),
      (
        "has:\u{1B}",
        "has: unknown value “\u{FFFD}”. Use gps, rating, keywords, description, camera, lens, author, iso, "
          + "date."
      ),
      (
        "has:g fog",
        "has: unknown value “g”. Use gps, rating, keywords, description, camera, lens, author, iso, date."
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
    #expect(PhotoQuery.TextField.all.allSatisfy { $0.weight <= 3 }, "a mark has two bits for the weight")
  }

  @Test(arguments: [
    ("h", "ha", true), ("", "x", true), ("ha", "h", false), ("ha", "ha", true), ("a b", "b a", true),
    ("a", "a b", true), ("a b", "a", false), ("-ha", "-har", false), ("-ha", "-ha x", true),
    ("rating:4", "rating:4 x", true),
    ("rating:4", "rating:5", false), ("camera:x", "camera:x1", true), ("camera:x", "x1", false),
    ("x", "camera:x", false),
    ("camera:", "camera:x", true), ("year:201", "year:2017", true),
  ])
  func aQueryNarrowsOneThatItExtends(before: String, after: String, narrows: Bool) throws {
    #expect(try Self.query(after).narrows(try Self.query(before)) == narrows)
  }
}
