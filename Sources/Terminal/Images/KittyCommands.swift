/// Commands of the kitty graphics protocol for images that the terminal stores. The terminal answers none of them.
public struct KittyCommands: Hashable, Sendable {
  /// Whether the commands are wrapped so that a multiplexer passes them on.
  let isPassedThrough: Bool

  /// A part of an image in pixels.
  struct Crop: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// Returns the command that shows an image at the cursor.
  /// - Parameters:
  ///   - layer: The layer in which the image lies (kitty's z-index); over the text from 0 on.
  ///   - cells: The cells that the terminal scales it to; nil if it is not scaled.
  public func place(_ id: UInt32, layer: Int = 0, cells: Size? = nil) -> [UInt8] {
    let scale = cells.map { ",c=\($0.columns),r=\($0.rows)" } ?? ""
    return command("a=p,i=\(id),C=1\(scale)" + (layer == 0 ? "" : ",z=\(layer)"))
  }

  /// Returns the command that shows an image, or a part of it, at the cursor under a number.
  /// - Parameter cells: The cells that the terminal scales it to; nil if it is not scaled.
  func place(_ id: UInt32, number: Int, crop: Crop?, cells: Size?) -> [UInt8] {
    let part = crop.map { ",x=\($0.x),y=\($0.y),w=\($0.width),h=\($0.height)" } ?? ""
    let scale = cells.map { ",c=\($0.columns),r=\($0.rows)" } ?? ""
    return command("a=p,i=\(id),p=\(number),C=1\(part)\(scale)")
  }

  /// Returns the command that takes one placement of an image off the screen. The terminal keeps the image.
  func remove(_ id: UInt32, number: Int) -> [UInt8] { command("a=d,d=i,i=\(id),p=\(number)") }

  /// Returns the command that takes an image off the screen. The terminal keeps it.
  public func hide(_ id: UInt32) -> [UInt8] { command("a=d,d=i,i=\(id)") }

  /// The command that ends an image of which only a part was sent.
  public var abortion: [UInt8] { command("m=0;") }

  /// Returns the command that makes the terminal release an image.
  public func delete(_ id: UInt32) -> [UInt8] { command("a=d,d=I,i=\(id)") }

  /// Returns the command that makes the terminal release all images that are placed in a layer.
  func delete(layer: Int) -> [UInt8] { command("a=d,d=Z,z=\(layer)") }

  /// Returns the command that makes the terminal release all images that lie on the screen.
  func deleteVisible() -> [UInt8] { command("a=d,d=A") }

  /// Returns the command that makes the terminal release all images with ids in a range (kitty since 0.33).
  func delete(_ ids: ClosedRange<UInt32>) -> [UInt8] { command("a=d,d=R,x=\(ids.lowerBound),y=\(ids.upperBound)") }

  private func command(_ keys: String) -> [UInt8] {
    Passthrough.wrapped("\u{1B}_Gq=2,\(keys)\u{1B}\\", isPassedThrough: isPassedThrough)
  }
}
