#if Pictures
  import FoundationEssentials
  import Glibc
  import ImageWire

  /// Encodes images for the kitty graphics protocol (kitty, "Terminal graphics protocol").
  ///
  /// The pixels have 24 bits. They are written to a file that the terminal reads and deletes, or sent in escape sequences of
  /// 4,096 bytes: compressed (RFC 1950), or within a budget as a PNG, which takes longer to make and is a third smaller.
  final class KittyEncoder {
    /// The files that the terminal may not have read yet. They are deleted when the browser ends.
    private var files: [String] = []
    private static let longestChunk = 4096

    /// Deletes the files that the terminal has not read.
    func deleteFiles() { for file in files { unlink(file) } }

    /// Returns the bytes for the terminal and the file that they name. The bytes are empty if memory is short, and the file
    /// is empty if there is none.
    func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ transfer: KittyTransfer, _ reduction: Reduction
    ) -> (bytes: [UInt8], file: String) {
      let id = request.number
      let isPNG = request.budget > 0 && !transfer.isLocal
      var keys = isPNG ? "q=2,f=100,i=\(id)" : "q=2,f=24,i=\(id),s=\(pixels.size.width),v=\(pixels.size.height)"
      keys += transfer.hasPlaceholders ? ",a=T,U=1,c=\(layout.columns),r=\(layout.rows)" : ",a=t"
      if transfer.isLocal, let path = write(pixels, id: id) {
        // In the shell, the terminal may read the file after the program has ended.
        if !request.stage.isForCommand { files.append(path) }
        let name = Data(path.utf8).base64EncodedString()
        return (sequence(keys + ",t=t", Array(name.utf8)[...], transfer), path)
      }
      let payload =
        isPNG
        ? SmallPNG.encode(pixels, colors: reduction.colors, throughput: request.throughput)
        : SmallPNG.compressed(pixels.rgb(), level: 1)
      guard let payload else { return ([], "") }
      let text = [UInt8](Data(payload).base64EncodedData())
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count + text.count / 256)
      for start in stride(from: 0, to: text.count, by: Self.longestChunk) {
        let end = min(start + Self.longestChunk, text.count)
        let more = "m=\(end < text.count ? 1 : 0)"
        bytes += sequence(
          start == 0 ? keys + (isPNG ? ",\(more)" : ",o=z,\(more)") : "q=2,\(more)", text[start..<end], transfer)
      }
      return (bytes, "")
    }

    private func sequence(_ keys: String, _ payload: ArraySlice<UInt8>, _ transfer: KittyTransfer) -> [UInt8] {
      // tmux passes on a sequence that is wrapped for it, with each Escape doubled.
      let escape = transfer.isInTmux ? "\u{1B}\u{1B}" : "\u{1B}"
      let (head, tail) = transfer.isInTmux ? ("\u{1B}Ptmux;", "\u{1B}\\") : ("", "")
      return Array("\(head)\(escape)_G\(keys);".utf8) + payload + Array("\(escape)\\\(tail)".utf8)
    }

    /// Writes the pixels to a file in memory, and returns its path or nil. By the name, the terminal knows that it may delete
    /// the file.
    private func write(_ pixels: Pixels, id: UInt32) -> String? {
      files.removeAll { access($0, F_OK) != 0 }
      let path = "/dev/shm/tintype-tty-graphics-protocol-\(getpid())-\(id)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let rgb = pixels.rgb()
      guard Glibc.write(descriptor, rgb, rgb.count) == rgb.count else {
        unlink(path)
        return nil
      }
      return path
    }
  }
#endif
