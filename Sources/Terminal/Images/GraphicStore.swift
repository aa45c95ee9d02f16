import ImageWire

/// The images that the terminal stores, as far as the program knows: those that it has been sent and not deleted.
///
/// The store decides which images are sent and deleted. It writes nothing: its functions return the bytes.
struct GraphicStore {
  private struct Entry {
    let delivery: Delivery
    let commands: KittyCommands
    /// Whether the last byte of the image has left.
    var hasArrived = false
  }

  private var entries: [UInt32: Entry] = [:]
  /// The images that a frame wanted to show before they had arrived.
  private var awaited: Set<UInt32> = []
  /// The range of the ids of all images that have ever been sent.
  private var idsSent: ClosedRange<UInt32>?
  /// The commands that delete forgotten images once the frame without them is on the screen.
  private var deletions: [UInt8] = []
  /// The commands that delete the images that were lost with the screen; sent before other images.
  private var deletionsOfLost: [UInt8] = []

  /// Begins a frame, which has not asked for any image yet.
  mutating func beginFrame() { awaited = [] }

  /// Returns whether the terminal can show an image now. If not, ``arrive(_:)`` will tell when a frame should try again.
  mutating func canShow(_ graphic: Graphic) -> Bool {
    if graphic.delivery.commands == nil || entries[graphic.id]?.hasArrived == true { return true }
    awaited.insert(graphic.id)
    return false
  }

  /// Takes note that the last byte of an image has left.
  /// - Returns: Whether the last frame would have shown the image.
  mutating func arrive(_ id: UInt32) -> Bool {
    entries[id]?.hasArrived = true
    return awaited.remove(id) != nil
  }

  /// Takes note that an image was not sent to its end.
  mutating func lose(_ id: UInt32) { entries[id] = nil }

  /// Returns what has to be sent so that the terminal stores these images: those among them that it does not store yet.
  mutating func transmissions(of graphics: [Graphic]) -> [Transmission] {
    defer { deletionsOfLost = [] }
    return [Transmission(deletionsOfLost)]
      + graphics.compactMap { graphic in
        guard let commands = graphic.delivery.commands, entries[graphic.id] == nil else { return nil }
        entries[graphic.id] = Entry(delivery: graphic.delivery, commands: commands)
        let low = idsSent?.lowerBound ?? graphic.id
        let high = idsSent?.upperBound ?? graphic.id
        idsSent = min(low, graphic.id)...max(high, graphic.id)
        return Transmission(id: graphic.id, graphic.image.bytes)
      }
  }

  /// Returns whether the terminal stores an image, or is being sent it.
  func isStored(_ id: UInt32) -> Bool { entries[id] != nil }

  /// Returns whether the terminal has all of an image.
  func hasArrived(_ id: UInt32) -> Bool { entries[id]?.hasArrived == true }

  /// The commands for an image that the terminal stores; nil if it doesn't store it.
  func commands(for id: UInt32) -> KittyCommands? { entries[id]?.commands }

  /// Deletes images that will not be shown again, after the next frame.
  mutating func forget(_ ids: [UInt32]) {
    // Deleting a placed image that is not on the screen would delete all such images (kitty up to 0.26). The terminal
    // limits how many it stores, and at the end all are deleted.
    for id in ids where entries[id]?.delivery.isPlaced != true { deletions += delete(id) }
  }

  /// Returns the commands that delete the images that have been forgotten since the last call.
  mutating func takeDeletions() -> [UInt8] {
    defer { deletions = [] }
    return deletions
  }

  /// Takes note that the terminal is about to clear the screen. kitty then releases the placed images that it doesn't
  /// show, and files that it has read are gone; other terminals keep the images.
  /// - Returns: Whether images were lost that have to be rendered again.
  mutating func clearScreen() -> Bool {
    let lost = entries.filter(\.value.delivery.isPlaced).keys
    for id in lost { deletionsOfLost += delete(id) }
    return !lost.isEmpty
  }

  /// Forgets all images, as after leaving the alternate screen.
  /// - Returns: The commands that delete them if the terminal kept them, as it does behind a multiplexer; empty if there
  ///   are none.
  mutating func reset() -> [UInt8] {
    deletions = []
    deletionsOfLost = []
    return deleteAll()
  }

  /// Forgets all images, and returns the commands that delete them.
  /// - Parameter unsent: The images of which nothing has left.
  mutating func deleteAll(except unsent: [UInt32] = []) -> [UInt8] {
    Set(entries.keys).subtracting(unsent).flatMap { delete($0) }
  }

  /// Short commands for a signal handler that delete all images, however many; empty if none has been sent. Images behind
  /// placeholders are deleted by their ids, which no other program uses. The image in transmission is ended first: kitty up
  /// to 0.36 and Konsole would take the next program's image for its rest.
  var deletionOfAll: [UInt8] {
    guard let ids = idsSent, let commands = entries.first?.value.commands else { return [] }
    let arePlaced = Set(entries.values.map(\.delivery.isPlaced))
    return commands.abortion + (arePlaced.contains(true) ? commands.deleteVisible() : [])
      + (arePlaced.contains(false) ? commands.delete(ids) : [])
  }

  private mutating func delete(_ id: UInt32) -> [UInt8] { entries.removeValue(forKey: id)?.commands.delete(id) ?? [] }
}
