import ArgumentParser

/// The options on where images are shown, and how large.
struct PlacingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The largest size, in cells; 80x or x24 limits one side. (default: the terminal's; fzf's preview window's, or 80x24, in a pipe)",
      valueName: "columnsxrows"))
  var size: SizeLimit?

  @Option(
    help: ArgumentHelp(
      "Show one image in these cells of the terminal, where 0x0 is the top left. The cursor does not move.",
      valueName: "columnsxrows@columnxrow"))
  var place: CellPlace?

  @Flag(help: "First remove images shown with --place and --placeholders, and clear the cells of --place.")
  var clear = false

  @Flag(help: "Show images in kitty's placeholder characters, which programs can move, as fzf does.")
  var placeholders = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Ask the terminal what it supports, or don't. (default: ask if it is the output and --place is not given)"))
  var ask: Bool?

  /// The way in which images get to the terminal.
  var target: ImageTarget {
    place.map { .place($0.rect, hasPlaceholders: placeholders) } ?? (placeholders ? .placeholders : .output)
  }

  /// Checks that the options can be used together for these files.
  func validate(_ files: [FileArgument]) throws {
    if files.isEmpty, !clear { throw ValidationError("Name an image, or - for one on the standard input.") }
    if files.count(where: \.isStandardInput) > 1 { throw ValidationError("The standard input can only be named once.") }
    if place != nil, files.count > 1 { throw ValidationError("--place takes one image.") }
    if place != nil, size != nil { throw ValidationError("--place has a size, so leave out --size.") }
  }
}
