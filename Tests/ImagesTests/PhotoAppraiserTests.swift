import Foundation
import Gallery
import Store
import TestLimit
import TestPhotos
import Testing

@testable import Images

@MainActor
@Suite(.serialized, .limited) struct PhotoAppraiserTests {
  private let files = ["coffee.jpg", "chelsea.jpg"].map { FilePath(TestPhotos.path($0)) }

  @Test func workersRunOnForTheNextStack() async throws {
    let folder = try ImageFolder()
    let appraiser = PhotoAppraiser(
      workerPath: folder.workerPath, workerCount: 1, index: AppraisalIndex(folder: nil), pause: .never)
    var workers: [[pid_t]] = []
    for file in files {
      #expect(await appraiser.appraisals(of: [file], .hash).allSatisfy { $0 != nil })
      workers.append(ImageFolder.processes(running: folder.workerPath))
    }
    #expect(workers[0].count == 1 && workers[0] == workers[1])
    withExtendedLifetime(appraiser) {}
  }

  @Test(.timeLimit(.minutes(5))) func workersEndAfterAPause() async throws {
    let folder = try ImageFolder()
    let appraiser = PhotoAppraiser(
      workerPath: folder.workerPath, workerCount: 1, index: AppraisalIndex(folder: nil), pause: .milliseconds(10))
    // The second stack comes after the workers have ended.
    for file in files {
      #expect(await appraiser.appraisals(of: [file], .hash).allSatisfy { $0 != nil })
      #expect(await eventually { ImageFolder.processes(running: folder.workerPath).isEmpty })
    }
    withExtendedLifetime(appraiser) {}
  }
}
