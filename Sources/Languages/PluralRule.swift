import Gallery

/// The rule that chooses the plural form for a number: an expression of C about `n` (GNU gettext manual, "Additional
/// functions for plural forms").
public struct PluralRule: Sendable {
  /// The number of forms.
  public let formCount: Int
  private let expression: Expression

  /// The rule of English and German: one form for 1, and one for all other numbers.
  static let english = PluralRule(formCount: 2, expression: .operation(.unequal, .number, .constant(1)))

  private init(formCount: Int, expression: Expression) {
    self.formCount = formCount
    self.expression = expression
  }

  /// The longest expression in bytes. Reading and calculating one use the stack.
  private static let longestExpression = 1000

  /// Reads the line `Plural-Forms: nplurals=2; plural=(n != 1);` of a PO file's header.
  ///
  /// Returns nil if the line is missing or is not an expression.
  public init?(header: String) {
    guard let line = header.split(separator: "\n").first(where: { $0.hasPrefix("Plural-Forms:") }) else { return nil }
    let values = line.dropFirst("Plural-Forms:".count).filter { $0 != " " }.split(separator: ";")
    guard let count = values.first(where: { $0.hasPrefix("nplurals=") }).flatMap({ Int($0.dropFirst(9)) }), count > 0,
      let rule = values.first(where: { $0.hasPrefix("plural=") }), rule.utf8.count <= Self.longestExpression
    else { return nil }
    var parser = ExpressionParser(Array(rule.dropFirst(7).utf8))
    guard let expression = parser.wholeExpression() else { return nil }
    self.init(formCount: count, expression: expression)
  }

  /// Returns the index of the form for a number.
  public func form(for count: Int) -> Int { min(max(expression.value(for: abs(count)), 0), formCount - 1) }
}

private indirect enum Expression: Sendable {
  case number
  case constant(Int)
  case operation(Operator, Expression, Expression)
  case choice(Expression, Expression, Expression)

  func value(for count: Int) -> Int {
    switch self {
    case .number: count
    case .constant(let value): value
    case .operation(let sign, let left, let right): sign.apply(left.value(for: count), right.value(for: count))
    case .choice(let test, let first, let second): (test.value(for: count) != 0 ? first : second).value(for: count)
    }
  }
}

private enum Operator: String {
  case or = "||"
  case and = "&&"
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case below = "<"
  case above = ">"
  case remainder = "%"

  /// The operators from those that bind least to those that bind most.
  static let levels: [[Operator]] = [
    [.or], [.and], [.equal, .unequal], [.atMost, .atLeast, .below, .above], [.remainder],
  ]

  func apply(_ left: Int, _ right: Int) -> Int {
    switch self {
    case .or: left != 0 || right != 0 ? 1 : 0
    case .and: left != 0 && right != 0 ? 1 : 0
    case .equal: left == right ? 1 : 0
    case .unequal: left != right ? 1 : 0
    case .atMost: left <= right ? 1 : 0
    case .atLeast: left >= right ? 1 : 0
    case .below: left < right ? 1 : 0
    case .above: left > right ? 1 : 0
    case .remainder: right == 0 ? 0 : left % right
    }
  }
}

private struct ExpressionParser {
  private let bytes: [UInt8]
  private var index = 0
  /// The open brackets, which a file from elsewhere could nest without end.
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func wholeExpression() -> Expression? {
    let expression = choice()
    return index == bytes.count ? expression : nil
  }

  private mutating func choice() -> Expression? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 32, let test = operation(0) else { return nil }
    guard take("?") else { return test }
    guard let first = choice(), take(":"), let second = choice() else { return nil }
    return .choice(test, first, second)
  }

  private mutating func operation(_ level: Int) -> Expression? {
    guard level < Operator.levels.count else { return operand() }
    guard var left = operation(level + 1) else { return nil }
    while let sign = Operator.levels[level].first(where: { take($0.rawValue) }) {
      guard let right = operation(level + 1) else { return nil }
      left = .operation(sign, left, right)
    }
    return left
  }

  private mutating func operand() -> Expression? {
    if take("n") { return .number }
    if take("(") {
      guard let inside = choice(), take(")") else { return nil }
      return inside
    }
    let digits = bytes[index...].prefix(while: \.isDigit)
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    index += digits.count
    return .constant(value)
  }

  private mutating func take(_ sign: String) -> Bool {
    guard bytes[index...].starts(with: sign.utf8) else { return false }
    index += sign.utf8.count
    return true
  }
}
