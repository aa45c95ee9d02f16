/// Work on the elements of a list that runs on all processor cores.
enum Parallel {
  /// Returns the results of `body` for the numbers from 0 on, in their order.
  static func map<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Result) async -> [Result] {
    await withTaskGroup { group in
      for number in 0..<count { group.addTask { (number, body(number)) } }
      return await group.reduce(into: [Result?](repeating: nil, count: count)) { $0[$1.0] = $1.1 }.compactMap(\.self)
    }
  }
}
