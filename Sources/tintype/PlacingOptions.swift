import ArgumentParser

/// The options on where images are shown, and how large.
struct PlacingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The largest size, in cells. (default: the terminal's; 80x24 in a pipe)", valueName: "columnsxrows"))
  var size: CellBox?
}
