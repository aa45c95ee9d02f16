import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

@MainActor
@Suite(.timeLimit(.minutes(5)), .limited) struct RenditionsInOrderTests {
  @Test(arguments: [1, 2, 100]) func answersComeInTheOrderOfTheRequests(most: Int) async throws {
    let folder = try ImageFolder()
    let queue = RenditionQueue(workerPath: folder.workerPath, workerCount: 3)
    let small = try folder.write(SampleImage.tiff(2, 1, .bytes, values: [0, 255]), as: "small")
    let large = try folder.write(
      SampleImage.tiff(500, 400, .bytes, values: Array(repeating: 9, count: 200_000)), as: "large")
    let missing = folder.path.appending("missing".utf8)
    let files = [large, small, missing, small, large, small, small]
    let requests = files.enumerated().map { index, file in
      ImageRequest.show(file, 10, 5, cell: (10, 20), .iterm, number: UInt32(index + 1))
    }
    var answers = RenditionsInOrder(requests, from: queue, atMost: most)
    var numbers: [UInt32] = []
    while let answer = await answers.next() {
      numbers.append(answer.number)
      #expect((answer.content == .failure(.missing)) == (answer.number == 3))
    }
    #expect(numbers == Array(1...7))
  }
}
