import Glibc
import ImageWire

/// Renders one file after another, as the browser requests them.
enum RenditionService {
  static func run() -> Never {
    let renderer = Renderer()
    Limits.confine()
    let code = RequestChannel.serve(RenditionRequest.self) { request in
      // In the shell, one image may use all processors.
      Limits.start(processors: request.stage.isForCommand ? UInt32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 1)
      guard RequestChannel.send(renderer.render(request)) else { return false }
      renderer.finish()
      Limits.lift()
      return true
    }
    renderer.deleteFiles()
    exit(code)
  }
}
