import Images
import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor
@Suite(.limited) struct ImageLayerTests {
  /// Images of the next keys are sent ahead only if the line is fast.
  @Test(arguments: [false, true]) func aRemoteLineIsSlow(isRemote: Bool) {
    let display = StubDisplay(environment: isRemote ? ["SSH_TTY": "/dev/pts/1"] : [:])
    let loader = ImageLoader(workerPath: "/dev/null", workerCount: 1)
    let images = ImageLayer(loader: loader, choice: .auto, display: display)
    images.beginFrame()
    #expect(images.isLineSlow == isRemote)
  }
}
