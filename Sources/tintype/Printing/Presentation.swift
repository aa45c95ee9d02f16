import Gallery
import ImageWire
import Printing
import Terminal

/// The way in which images are turned, fitted and arranged.
struct Presentation {
  /// The part of its box that an image fills.
  enum Fit: String, CaseIterable {
    case contain, enlarge, cover, width, height
  }

  var fit = Fit.contain
  var rotation = ImageRotation.upright
  /// The color under transparent parts, 0xRRGGBB; nil for the background of the surroundings.
  var background: UInt32?
  var alignment = Alignment()
  /// The grid; nil for one image after another.
  var grid: GridSize?
  /// The text above each image; nil if there is none.
  var title: TitleFormat?
  /// The number of times that animations are played; nil for a number that suits the number of images.
  var loops: LoopCount?
  /// The time at which videos begin; nil for their start, or for the frame that stands for a video that is not played.
  var seek: VideoTime?

  /// The most rows that an image takes if only its width is limited. A longer one is narrower.
  private static let mostRows = 1000

  /// Returns the layout in an area of the screen.
  func layout(in area: CellBox) -> GridLayout {
    let area = Size(columns: area.columns, rows: area.rows)
    return grid.map { GridLayout(columns: $0.columns, rows: $0.rows, in: area, hasTitles: title != nil) }
      ?? GridLayout(singlesIn: area, hasTitles: title != nil)
  }

  /// Returns the specification of an image in a box.
  func specification(
    of file: FileArgument, _ format: OutputFormat, in box: Size, _ surroundings: Surroundings
  ) -> RenditionSpecification {
    // In given cells, an image can't be higher than they are.
    let isHigh = fit == .width && surroundings.place == nil
    return RenditionSpecification(
      .file(file.path), columns: box.columns, rows: isHigh ? Self.mostRows : box.rows,
      as: ImagePresentation(view: view, rotation: rotation),
      on: RenditionScreen(
        format: format, cellWidth: surroundings.cell.width, cellHeight: surroundings.cell.height,
        background: background ?? surroundings.background, palette: surroundings.palette))
  }

  private var view: ImageView {
    switch fit {
    case .contain: .whole
    case .enlarge, .width: .enlarged
    case .cover: .filling
    case .height: .fillingHeight
    }
  }
}

/// The number of times that an animation is played.
enum LoopCount {
  case forever
  /// 0 shows only the first frame.
  case times(Int)

  /// The number; nil for no limit.
  var limit: Int? {
    switch self {
    case .forever: nil
    case .times(let count): count
    }
  }
}

/// A time in a video.
struct VideoTime {
  let milliseconds: Int
}

/// The numbers of columns and rows of a grid.
struct GridSize {
  let columns: Int
  let rows: Int
}
