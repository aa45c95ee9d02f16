import Gallery
import Services

extension RenameForecast {
  /// Looks at the files and at those beside them, and renames nothing.
  init(_ requests: [FileRename]) {
    self.init()
    var all: [PlannedRename] = []
    for (place, request) in requests.enumerated() {
      do throws(RenameFault) {
        all.append(try PlannedRename(request, place))
      } catch {
        obstacles[place] = error.message
      }
    }
    let names = NamesInUse(all)
    for index in all.indices {
      do throws(RenameFault) {
        all[index].earlier = try names.holders(of: all[index], at: index)
      } catch {
        obstacles[all[index].place] = error.message
      }
    }
    if obstacles.isEmpty { renames = RenameOrder(all).renames }
  }
}

/// A rename whose moves are known.
private struct PlannedRename {
  /// The place in the request.
  let place: Int
  let request: FileRename
  let moves: [FileMove]
  let rules: NameRules
  /// The renames that have to come first, because they make a name free.
  var earlier: Set<Int> = []

  init(_ request: FileRename, _ place: Int) throws(RenameFault) {
    self.request = request
    self.place = place
    moves = try FileMove.renames(of: request.files, to: request.stem)
    rules = NameRules(request.files.first?.folder ?? "/")
    for move in moves { try rules.check(move.target) }
  }

  /// The same in two steps: to a temporary name, which is hidden, and from there.
  var inTwoSteps: (first: FileRename, second: FileRename) {
    for number in 0... {
      let stem = "\(FileMove.temporaryStem)\(place)-\(number)"
      guard let hidden = try? FileMove.renames(of: request.files, to: stem), !hidden.contains(where: \.target.isThere)
      else { continue }
      let targets = Dictionary(hidden.map { ($0.source, $0.target) }) { first, _ in first }
      let files = request.files.compactMap { targets[$0] }
      var first = request
      first.stem = stem
      return (first, FileRename(request.photo.moved(to: files), at: files, to: request.stem))
    }
    return (request, request)
  }
}

extension Photo {
  /// The photo when its files are at other paths.
  fileprivate func moved(to files: [FilePath]) -> Photo {
    Photo(
      id: id, name: name, createdAt: createdAt, imageURL: imageURL, image: files.first.map { .file($0) } ?? image,
      metadata: metadata)
  }
}

/// The names that the files have and will have.
private struct NamesInUse {
  private var sources: [FilePath: Int] = [:]
  private var files: [FilePath.Identity: Int] = [:]
  private var targets: [FilePath: Int] = [:]

  init(_ all: [PlannedRename]) {
    for (index, rename) in all.enumerated() {
      for move in rename.moves {
        // A file that keeps its name makes no room.
        if move.source != move.target {
          sources[move.source] = index
          if let file = move.source.identity { files[file] = index }
        }
        let target = rename.rules.folded(move.target)
        targets[target] = targets[target] ?? index
      }
    }
  }

  /// Returns the renames of the files that have the names at which another one arrives.
  func holders(of rename: PlannedRename, at index: Int) throws(RenameFault) -> Set<Int> {
    var holders: Set<Int> = []
    for move in rename.moves where move.source != move.target {
      if targets[rename.rules.folded(move.target)] != index { throw .twice(move.target) }
      guard move.target.isThere else { continue }
      // On some disks, a name that differs in its case leads to the same file.
      guard let holder = sources[move.target] ?? move.target.identity.flatMap({ files[$0] }) else {
        throw .taken(move.target)
      }
      holders.insert(holder)
    }
    return holders
  }
}

/// Brings renames into an order in which each name is free when a photo gets it (Kahn's algorithm). One photo of each circle
/// makes room for the others under a temporary name.
private struct RenameOrder {
  private(set) var renames: [FileRename] = []
  private let all: [PlannedRename]
  private var earlier: [Set<Int>]
  private var later: [Int: [Int]] = [:]
  private var ready: [Int]
  /// The renames from temporary names, which come when the others of their circles have left theirs.
  private var hidden: [Int: FileRename] = [:]
  private var isDone: [Bool]

  init(_ all: [PlannedRename]) {
    self.all = all
    earlier = all.map(\.earlier)
    isDone = all.map { _ in false }
    ready = all.indices.filter { all[$0].earlier.isEmpty }.reversed()
    for (index, rename) in all.enumerated() { for first in rename.earlier { later[first, default: []].append(index) } }
    for index in all.indices {
      makeReady()
      if !isDone[index], hidden[index] == nil { hide(index) }
    }
    makeReady()
  }

  private mutating func makeReady() {
    while let index = ready.popLast() {
      isDone[index] = true
      let isNeedless = all[index].moves.allSatisfy { $0.source == $0.target }
      if !isNeedless { renames.append(hidden[index] ?? all[index].request) }
      if hidden[index] == nil { leave(index) }
    }
  }

  private mutating func hide(_ index: Int) {
    let (first, second) = all[index].inTwoSteps
    renames.append(first)
    hidden[index] = second
    leave(index)
  }

  /// Takes note that a photo has left its old name.
  private mutating func leave(_ index: Int) {
    for other in later[index] ?? [] {
      earlier[other].remove(index)
      if earlier[other].isEmpty, !isDone[other] { ready.append(other) }
    }
  }
}
