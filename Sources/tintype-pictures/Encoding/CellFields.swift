import ImageWire

/// The sums of the pixels in the fields of a cell that glyphs cover, for all glyphs of ``Glyph/all``.
///
/// A sum is that of the pixels' differences from the cell's mean, divided by the number of the cell's pixels.
struct CellFields {
  /// The pixels of a cell. Eighths, quadrants and octants end at whole ones.
  static let cell = PixelSize(8, 16)

  private typealias Fields = InlineArray<8, SIMD4<Float>>

  /// The mean of all pixels: red, green, and blue, from 0 to 255.
  let mean: SIMD4<Float>
  /// The variance of the octants' means in each channel.
  let variance: SIMD4<Float>
  /// The groups that every set of characters has.
  private let upperEighths, leftEighths, quadrants: ColorLanes
  private var sextants = Grid()
  private var octants = Grid()
  private let fields: Fields

  /// Adds up the pixels of the cell whose first pixel is at `x` and `y`.
  ///
  /// - Parameter groups: The groups whose sums are needed.
  init(of pixels: Pixels, x: Int, y: Int, groups: Range<Int>) {
    let sums = PixelSums(of: pixels, x: x, y: y)
    let octants = sums.octants
    let total = (0..<8).reduce(into: SIMD4<Float>()) { $0 += octants[$1] }
    let mean = total / Float(Self.cell.area)
    func differences(_ sums: Fields, _ count: Int = 8) -> Fields {
      var fields = Fields(repeating: SIMD4())
      for index in 0..<count { fields[index] = (sums[index] - total / Float(count)) / Float(Self.cell.area) }
      return fields
    }
    self.mean = mean
    upperEighths = ColorLanes(beginningsOf: differences(sums.rows))
    leftEighths = ColorLanes(beginningsOf: differences(sums.columns))
    let fields = differences(octants)
    // A field's difference is divided by the number of the cell's pixels, of which an octant has an eighth.
    variance = (0..<8).reduce(into: SIMD4<Float>()) { $0 += 8 * fields[$1] * fields[$1] }
    quadrants = ColorLanes(combinationsOf: fields[0] + fields[2], fields[1] + fields[3], fields[4] + fields[6])
    self.fields = fields
    if groups.contains(3) { sextants = Grid(differences(sums.sextants, 6), combinations: 4) }
    if groups.contains(7) { self.octants = Grid(fields, combinations: 16) }
    if groups.contains(23) { self.octants = Grid(fields, combinations: 32) }
  }

  /// Returns the sums in the first parts of the eight glyphs of a group.
  @inline(__always)
  func sums(ofGroup index: Int) -> ColorLanes {
    switch index {
    case 0: upperEighths
    case 1: leftEighths
    case 2: quadrants
    case 3..<7: sextants.sums(index - 3)
    case 7..<23: octants.sums(index - 7)
    case 23..<55: octants.sums(index - 23) * SIMD8(repeating: GlyphGrid.braille.share)
    default: Letter.groups[index - 55].sums(fields)
    }
  }

  /// The combinations of the fields of a grid, without the last field.
  private struct Grid {
    private var ofFirstThree = ColorLanes()
    private var ofOthers = InlineArray<32, SIMD4<Float>>(repeating: SIMD4())

    init() {}

    /// - Parameter combinations: The number of combinations of the fields after the third one.
    init(_ fields: Fields, combinations: Int) {
      ofFirstThree = ColorLanes(combinationsOf: fields[0], fields[1], fields[2])
      for index in 1..<combinations {
        ofOthers[index] = ofOthers[index & (index - 1)] + fields[3 + index.trailingZeroBitCount]
      }
    }

    @inline(__always)
    func sums(_ index: Int) -> ColorLanes { ofFirstThree + ofOthers[index] }
  }
}

/// The sums of the pixels in parts of a cell.
private struct PixelSums {
  /// The halves of each row of pixels, the left one first.
  private var halves = InlineArray<32, SIMD4<Float>>(repeating: SIMD4())
  private(set) var columns = InlineArray<8, SIMD4<Float>>(repeating: SIMD4())

  init(of pixels: Pixels, x: Int, y: Int) {
    // Four pixels each.
    var (left, right) = (SIMD16<UInt16>(), SIMD16<UInt16>())
    for row in 0..<CellFields.cell.height {
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pixels.row(y + row))[(x * 4)...])
      let first = SIMD16<UInt16>(truncatingIfNeeded: bytes.loadUnaligned(as: SIMD16<UInt8>.self))
      let second = SIMD16<UInt16>(
        truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self))
      left &+= first
      right &+= second
      halves[row * 2] = Self.sum(first)
      halves[row * 2 + 1] = Self.sum(second)
    }
    setColumns(from: 0, left)
    setColumns(from: 4, right)
  }

  private mutating func setColumns(from index: Int, _ sums: SIMD16<UInt16>) {
    columns[index] = Self.color(sums.lowHalf.lowHalf)
    columns[index + 1] = Self.color(sums.lowHalf.highHalf)
    columns[index + 2] = Self.color(sums.highHalf.lowHalf)
    columns[index + 3] = Self.color(sums.highHalf.highHalf)
  }

  /// The eighths of the cell's height.
  var rows: InlineArray<8, SIMD4<Float>> {
    InlineArray { sum(ofRows: $0 * 2, count: 2, half: 0) + sum(ofRows: $0 * 2, count: 2, half: 1) }
  }

  /// The octants, row by row.
  var octants: InlineArray<8, SIMD4<Float>> {
    InlineArray { sum(ofRows: $0 / 2 * 4, count: 4, half: $0 % 2) }
  }

  /// The six sextants, row by row. They share the sixth and the eleventh row of pixels.
  var sextants: InlineArray<8, SIMD4<Float>> {
    InlineArray { index in
      let half = index % 2
      let (upper, lower) = (halves[10 + half], halves[20 + half])
      return switch index / 2 {
      case 0: sum(ofRows: 0, count: 5, half: half) + upper / 3
      case 1: sum(ofRows: 6, count: 4, half: half) + (upper + lower) * (2 / 3)
      case 2: sum(ofRows: 11, count: 5, half: half) + lower / 3
      default: SIMD4()
      }
    }
  }

  private func sum(ofRows first: Int, count: Int, half: Int) -> SIMD4<Float> {
    var sum = SIMD4<Float>()
    for row in first..<first + count { sum += halves[row * 2 + half] }
    return sum
  }

  /// Returns the sum of four pixels.
  private static func sum(_ pixels: SIMD16<UInt16>) -> SIMD4<Float> {
    let pair = pixels.lowHalf &+ pixels.highHalf
    return color(pair.lowHalf &+ pair.highHalf)
  }

  private static func color(_ sum: SIMD4<UInt16>) -> SIMD4<Float> {
    SIMD4(SIMD4<Int32>(truncatingIfNeeded: sum))
  }
}
