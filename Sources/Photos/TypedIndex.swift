import Gallery

/// An index of one kind, such as that of a photo in a table.
///
/// Indices of different kinds are different types, so that a row's index can't be used where a photo's is meant. Only
/// ``value`` and ``init(_:)`` lead from one kind to another. An index takes four bytes, because a list of a million photos
/// has arrays of them.
public struct TypedIndex<Kind>: Hashable, Strideable, ExpressibleByIntegerLiteral, Sendable {
  @usableFromInline let number: Int32

  /// Creates the index with a number, counted from 0.
  @inlinable public init(_ value: Int) { number = Int32(value) }

  /// Creates the index that a number in the source text stands for.
  @inlinable public init(integerLiteral value: Int) { self.init(value) }

  /// The number, counted from 0.
  @inlinable public var value: Int { Int(number) }

  /// Returns the number of steps to another index, which is negative if that comes before this one.
  @inlinable public func distance(to other: Self) -> Int { other.value - value }

  /// Returns the index that is some steps after this one.
  @inlinable public func advanced(by steps: Int) -> Self { Self(value + steps) }

  @inlinable public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Returns the index that is some steps after another one.
  @inlinable public static func + (index: Self, steps: Int) -> Self { index.advanced(by: steps) }

  /// Returns the index that is some steps before another one.
  @inlinable public static func - (index: Self, steps: Int) -> Self { index.advanced(by: -steps) }
}

/// The index of a photo in a ``PhotoTable``.
public typealias TableIndex = TypedIndex<Photo>
