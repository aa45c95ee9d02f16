import Images
import Resources

extension RenditionQueue {
  /// Creates the queue of a command in the shell, and starts its first worker.
  convenience init(forCommandWithWorkers count: Int) throws(TextOnlyError) {
    guard let workerPath = Resources.imageWorker else { throw TextOnlyError() }
    self.init(workerPath: workerPath, workerCount: count)
  }
}
