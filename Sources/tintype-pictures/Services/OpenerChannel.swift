#if Pictures
  import CConfinement
  import Glibc
  import ImageWire

  /// What a decoder sends to its opener: the sizes of a thumbnail and of its image, or zeros to ask for the next request.
  struct OpenerMessage {
    private var numbers = SIMD4<UInt32>()

    init() {}

    init(thumbnail: PixelSize, image: PixelSize) {
      numbers = SIMD4(clamping: SIMD4(thumbnail.width, thumbnail.height, image.width, image.height))
    }

    var isAboutThumbnail: Bool { numbers != SIMD4() }
    var thumbnail: PixelSize { PixelSize(Int(numbers.x), Int(numbers.y)) }
    var image: PixelSize { PixelSize(Int(numbers.z), Int(numbers.w)) }
  }

  /// An end of the socket between a decoder and its opener.
  ///
  /// The decoder sends an ``OpenerMessage``, and after one about a thumbnail its pixels, which the opener confirms with a byte.
  /// To any other message it answers with the next request: a byte, with which the descriptors come, that says which ones they
  /// are (``RequestFiles``), and the request as the browser has sent it.
  struct OpenerChannel {
    let socket: Int32

    /// Passes a request on to the decoder, and returns whether the decoder has taken it.
    func send(_ request: RenditionRequest, _ files: RequestFiles) -> Bool {
      let (bytes, descriptors) = ([files.bits] + request.framed, files.descriptors)
      let count = send_with_descriptors(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
      guard count > 0 else { return false }
      return bytes.withUnsafeBytes { RequestChannel.write(UnsafeRawBufferPointer(rebasing: $0[count...]), to: socket) }
    }

    /// Waits for the next request. Returns nil when there are no more.
    func next() -> (RenditionRequest, RequestFiles)? {
      guard send(OpenerMessage()) else { return nil }
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      var descriptors = [Int32](repeating: -1, count: Int(MOST_DESCRIPTORS))
      var descriptorCount: Int32 = 0
      var count = receive_with_descriptors(socket, &chunk, chunk.count, &descriptors, &descriptorCount)
      guard count > 0, let files = RequestFiles(Array(descriptors.prefix(Int(descriptorCount))), bits: chunk[0])
      else { return nil }
      var buffer = WireBuffer()
      buffer.append(chunk[1..<count])
      do throws(WireError) {
        while true {
          if let request = try buffer.next(RenditionRequest.self) { return (request, files) }
          count = read(socket, &chunk, chunk.count)
          guard count > 0 else { return nil }
          buffer.append(chunk[..<count])
        }
      } catch {
        return nil
      }
    }

    /// Has a thumbnail of the current photo stored, whose image has this size. If that fails, the next decoding of the file
    /// tries again.
    func store(_ thumbnail: Pixels, of size: PixelSize) {
      var byte: UInt8 = 0
      let message = OpenerMessage(thumbnail: thumbnail.size, image: size)
      guard send(message), RequestChannel.write(UnsafeRawBufferPointer(thumbnail.words), to: socket) else { return }
      _ = withUnsafeMutableBytes(of: &byte) { Self.fill($0, from: socket) }
    }

    private func send(_ message: OpenerMessage) -> Bool {
      withUnsafeBytes(of: message) { RequestChannel.write($0, to: socket) }
    }

    /// Reads as many bytes as there is room for, and returns whether they have all come.
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from socket: Int32) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = read(socket, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
#endif
