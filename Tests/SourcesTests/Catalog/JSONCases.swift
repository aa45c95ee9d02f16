/// Texts that are JSON according to the grammar of RFC 8259, and texts that are not.
enum JSONCases {
  static let accepted: [[UInt8]] =
    [
      // Section 3: values.
      "true", "false", "null", " \t\r\n1 \t\r\n", "\"\"", "[]", "{}",
      // Section 4: objects. Duplicate names are allowed.
      #"{"":0}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":{"c":[]}}}"#, "{\n\"a\"\t:\r1 , \"b\" : 2}", #"{"\u0000":1}"#,
      // Section 5: arrays, whose values can have different types.
      "[1]", "[1,2]", "[[]]", "[[],{},\"\",1,true,null]", "[ 1 , 2 ]", "[[[[[[[[[[]]]]]]]]]]",
      // Section 6: numbers.
      "0", "-0", "1", "-1", "10", "123456789012345678901234567890", "0.5", "-0.5", "0.0", "1.50", "0e0", "0E0", "1e5",
      "1E5", "1e+5", "1e-5", "1E+05", "1.5e300", "1e999", "-1e-999", "1.7976931348623157e309",
      // Section 7: strings.
      #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\u00E9""#, #""\ud83d\uDE00""#, #""\uFFFF""#, "\"\u{7F}\"", "\"\u{80}\"",
      "\"\u{7FF}\u{800}\u{FFF}\u{1000}\u{D7FF}\u{E000}\u{10000}\u{3FFFF}\u{40000}\u{FFFFF}\u{100000}\"",
      "\"\u{2028}\u{2029}\"", "\"\u{E9}漢😀\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", #""/""#, "\" \"", #""\u0022""#, "\"'\"",
    ].map { Array($0.utf8) } + [Array(String(repeating: "[", count: 200).utf8) + repeated("]", 200)]

  static let refused: [[UInt8]] =
    [
      // Section 3: unknown words, and missing values.
      "", " ", "True", "nul", "nulll", "undefined", "NaN", "Infinity", "tru", "'a'", "a", "/* */ 1", "1 // one", "1 2",
      "1,", "\u{A0}1", "\u{2028}1", "#1", "<a>", "@", "\0", "1\0",
      // Section 4.
      "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{1:1}",
      "{\"a\" 1}",
      "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1}}", "{\"a\":1]",
      "{null:1}",
      "{[]:1}", "{\"a\"}", "{:1}", "{\"a\":}", "{\"a\":1}{",
      // Section 5.
      "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1}", "[1]]", "[[1]", "[1;2]", "[\"a\":1]",
      "[1]x",
      "[1],", "[+]", "[a]",
      // Section 6: the only sign is a minus, a leading zero is invalid, and digits are required on both sides of the
      // point and after the exponent's letter.
      "+1", "-", "--1", "- 1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1E-", "1.5.5", "1e5.5",
      "0x10",
      "1_000", "1e1e1", "１", "1a", "0e", "∞", "-a", "2.e+3", "1 000",
      // Section 7: control characters, unknown escapes, incomplete escapes, and strings without an end.
      "\"", "\"a", "\"\\", "\"\\\"", "\"\n\"", "\"\t\"", "\"\0\"", "\"\u{1F}\"", #""\x41""#, #""\a""#, #""\'""#,
      #""\U0041""#,
      #""\u""#, #""\u0""#, #""\u00""#, #""\u000""#, #""\u00g0""#, #""\u-123""#, "\"\\\u{E9}\"", "\"\\\0\"",
      "\"a\"\"b\"",
      "\"a\" \"b\"", "a\"", "\"\\ \"", "\"\\\n\"",
    ].map { Array($0.utf8) }

  private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
    Array(String(repeating: text, count: count).utf8)
  }
}
