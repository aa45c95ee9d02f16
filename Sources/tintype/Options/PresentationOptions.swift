import ArgumentParser
import ImageWire
import Printing

/// The options on how images are turned, fitted and arranged.
struct PresentationOptions: ParsableArguments {
  @Option(
    help: """
      How an image fits its area. contain: show all without enlarging; enlarge: show all, enlarged if needed; cover: \
      fill the area and crop; width / height: fill this side.
      """)
  var fit = Presentation.Fit.contain

  @Option(
    help: ArgumentHelp(
      "The position of images in their area: left, center or right, and also top, middle or bottom.",
      valueName: "side[,side]"))
  var align = Alignment()

  @Option(
    help: ArgumentHelp(
      "The color under transparent parts: a name, or rrggbb in hexadecimal, or auto for the terminal's own.",
      valueName: "color"))
  var background = BackgroundColor.auto

  @Option(
    help: """
      How images are rotated: upright by their Exif orientation (auto), not at all (none), or from upright clockwise \
      by this many degrees.
      """)
  var rotate = Rotation.auto

  @Option(
    help: ArgumentHelp(
      "Show images in a grid of this many columns and rows. 3 is the same as 3x3.", valueName: "columnsxrows"))
  var grid: GridSize?

  @Option(
    help: ArgumentHelp("Show a title above each image, in which \(TitleFormat.help).", valueName: "format"))
  var title: TitleFormat?

  @Option(
    help: ArgumentHelp(
      """
      How often an animation or a video is played in a terminal, until a key is pressed; 0 shows one frame. It is not \
      played in a grid, in a pipe, or with --place. (default: animations forever, or once if there are several \
      images; videos once)
      """,
      valueName: "count|forever"))
  var loops: LoopCount?

  @Option(
    help: ArgumentHelp(
      "Begin videos at this time, or show the frame of this time where they are not played.",
      valueName: "[[h:]m:]s"))
  var seek: VideoTime?

  /// The presentation that the options ask for.
  var presentation: Presentation {
    Presentation(
      fit: fit, rotation: rotate.rotation, background: background.rgb, alignment: align, grid: grid, title: title,
      loops: loops, seek: seek)
  }
}

extension PresentationOptions {
  /// The rotation as the user writes it.
  enum Rotation: String, CaseIterable, ExpressibleByArgument {
    case auto, none
    case clockwise90 = "90"
    case clockwise180 = "180"
    case clockwise270 = "270"

    fileprivate var rotation: ImageRotation {
      switch self {
      case .auto: .upright
      case .none: .stored
      case .clockwise90: .clockwise90
      case .clockwise180: .clockwise180
      case .clockwise270: .clockwise270
      }
    }
  }
}

extension Presentation.Fit: ExpressibleByArgument {}

extension Alignment: ExpressibleByArgument {
  /// Creates an alignment from one or two sides in any order, separated by a comma.
  public init?(argument: String) {
    self.init()
    for side in argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let horizontal = Horizontal(rawValue: side) {
        self.horizontal = horizontal
      } else if let vertical = Vertical(rawValue: side) {
        self.vertical = vertical
      } else {
        return nil
      }
    }
  }

  /// The default as the help shows it.
  public var defaultValueDescription: String { horizontal.rawValue }

  /// The sides, for completion.
  public static var allValueStrings: [String] {
    Horizontal.allCases.map(\.rawValue) + Vertical.allCases.map(\.rawValue)
  }

  /// The completion of one side.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension GridSize: ExpressibleByArgument {
  init?(argument: String) {
    let numbers = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard let columns = numbers.first ?? nil, let rows = numbers.last ?? nil, numbers.count <= 2,
      (1...100).contains(columns), (1...100).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

extension LoopCount: ExpressibleByArgument {
  init?(argument: String) {
    if argument == "forever" {
      self = .forever
    } else {
      guard let count = Int(argument), count >= 0 else { return nil }
      self = .times(count)
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["0", "1", "forever"]) }
}

extension VideoTime: ExpressibleByArgument {
  /// Creates a time from seconds, from minutes and seconds, or from hours, minutes and seconds, such as "1:02:03.5".
  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, numbers.count <= 3, numbers.allSatisfy({ (0...360_000).contains($0) }) else {
      return nil
    }
    self.init(milliseconds: Int(numbers.reduce(0) { $0 * 60 + $1 } * 1000))
  }
}

extension TitleFormat: ExpressibleByArgument {
  /// Creates a format from the text of the option.
  public init?(argument: String) { self.init(argument) }

  /// The codes in words.
  fileprivate static var help: String {
    let texts = codes.map { "\($0.code) is \($0.meaning)" }
    return texts.dropLast().joined(separator: ", ") + " and " + (texts.last ?? "")
  }
}
