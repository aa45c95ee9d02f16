/// The image worker, which runs one of two services for the browser: renditions, or the metadata of files with `--metadata`.
///
/// It is a separate process because a decoder that reads a hostile or damaged file may use up all memory, never return, or
/// crash. Then only this process ends, and the browser starts another one.
@main
enum Worker {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "--doctor": for line in Renderer().report() { print(line) }
    case "--metadata": MetadataService.run()
    default: RenditionService.run()
    }
  }
}
