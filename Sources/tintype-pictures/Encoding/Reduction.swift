#if Pictures
  import ImageWire

  /// The detail that an encoder leaves out of an image so that it takes fewer bytes on the line to the terminal.
  struct Reduction: Equatable {
    /// The number of pixels on the screen, across and down, that one encoded pixel stands for.
    var factor = 1.0
    /// The distance between neighboring values of a color's channel. An encoded value is at most half of it off.
    var step = 1
    /// The number of colors, or nil for 24 bits a pixel.
    var colors: Int?
    /// The quality of a JPEG, from 0 to 100.
    var quality = 90

    /// Nothing is left out.
    static let none = Reduction()

    /// Returns the size of an image on the screen when it is encoded.
    func size(of size: PixelSize) -> PixelSize {
      PixelSize(max(1, Int(Double(size.width) / factor)), max(1, Int(Double(size.height) / factor)))
    }
  }

  extension OutputFormat {
    /// The reductions of this format, finest first.
    var reductions: [Reduction] {
      let coarse = [2.0, 3, 4, 6, 8, 12, 16, 24, 32]
      return switch self {
      // Few colors take few bytes, and ASCII has no half blocks.
      case .symbols(let depth, let symbols) where depth != .truecolor || symbols == .ascii: [.none]
      case .symbols: [.none] + coarse.prefix(5).map { Reduction(factor: $0) }
      case .sixel: [.none] + coarse.map { Reduction(factor: $0) }
      case .iterm:
        [.none, Reduction(quality: 75), Reduction(quality: 60), Reduction(factor: 1.5, quality: 60)]
          + coarse.map { Reduction(factor: $0, quality: 60) }
      case .kitty(let transfer) where transfer.isLocal: [.none]
      case .kitty:
        [.none, Reduction(step: 2), Reduction(step: 4), Reduction(colors: 256), Reduction(factor: 1.5, colors: 256)]
          + coarse.map { Reduction(factor: $0, colors: $0 < 4 ? 128 : 64) }
      }
    }

    /// Returns the fewest bytes that a photo takes with a reduction, by experience. A reduction that takes more than the
    /// budget in any case need not be tried.
    func leastBytes(_ reduction: Reduction, _ layout: Layout) -> Double {
      let pixels = Double(layout.pixels.area)
      return switch self {
      case .symbols: Double(layout.columns * layout.rows) * 12 / reduction.factor
      case .sixel: pixels / 4 / reduction.factor
      case .iterm: pixels / 16 / reduction.factor / reduction.factor
      case .kitty:
        pixels * (reduction.step == 1 && reduction.colors == nil ? 0.6 : 0.25) / reduction.factor / reduction.factor
      }
    }
  }

  extension Pixels {
    /// Returns the image with each channel rounded to a multiple of `step`, which is a power of 2.
    func rounded(to step: Int) -> Pixels {
      guard step > 1 else { return self }
      let result = Pixels(size)
      let half = SIMD4<UInt16>(repeating: UInt16(step / 2))
      let mask = SIMD4<UInt16>(repeating: ~UInt16(step - 1))
      for index in words.indices {
        let pixel = SIMD4<UInt16>(truncatingIfNeeded: unsafeBitCast(words[index], to: SIMD4<UInt8>.self))
        let rounded = ((pixel &+ half) & mask).clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        result.words[index] = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: rounded), to: UInt32.self) | 0xFF00_0000
      }
      return result
    }
  }
#endif
