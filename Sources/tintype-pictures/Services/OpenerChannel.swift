#if Pictures
  import CConfinement
  import ImageWire

  #if canImport(Glibc)
    import Glibc
  #else
    import Darwin
  #endif

  /// A message of a decoder to its opener. It has the sizes of a thumbnail and of its image, or asks for the next request with
  /// zeros.
  struct OpenerMessage {
    private var numbers = SIMD8<UInt32>()

    /// Asks for the next request.
    ///
    /// - Parameter hasWork: Whether the decoder has work to do if no request comes for a while.
    init(hasWork: Bool = false) { numbers[5] = hasWork ? 1 : 0 }

    /// - Parameter number: The number of the request for the image.
    init(thumbnail: PixelSize, image: PixelSize, number: UInt32) {
      let sizes = SIMD4<UInt32>(clamping: SIMD4(thumbnail.width, thumbnail.height, image.width, image.height))
      numbers.lowHalf = sizes
      numbers[4] = number
    }

    var isAboutThumbnail: Bool { numbers.lowHalf != SIMD4() }
    var thumbnail: PixelSize { PixelSize(Int(numbers[0]), Int(numbers[1])) }
    var image: PixelSize { PixelSize(Int(numbers[2]), Int(numbers[3])) }
    var number: UInt32 { numbers[4] }
    var hasWork: Bool { numbers[5] != 0 }
  }

  /// An end of the socket between a decoder and its opener.
  ///
  /// The decoder sends an ``OpenerMessage``, and after one about a thumbnail its pixels, which the opener confirms with a byte.
  /// To any other message it answers with the next request: a byte, with which the descriptors come, that says which ones they
  /// are (``RequestFiles``), and the request as the browser has sent it. If the decoder has work to do and no request comes
  /// for a while, another byte comes alone, and the decoder asks again when it has done some of the work.
  struct OpenerChannel {
    let socket: Int32

    /// Passes a request on to the decoder, and returns whether the decoder has taken it.
    func send(_ request: RenditionRequest, _ files: RequestFiles) -> Bool {
      let (bytes, descriptors) = ([files.bits] + request.framed, files.descriptors)
      let count = send_with_descriptors(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
      guard count > 0 else { return false }
      return bytes.withUnsafeBytes {
        RequestChannel.writeAll(UnsafeRawBufferPointer(rebasing: $0[count...]), to: socket)
      }
    }

    /// The answer to a question for the next request.
    enum Next {
      case request(RenditionRequest, RequestFiles)
      /// No request has come for a while.
      case quiet
    }

    /// The byte that means ``Next/quiet``.
    private static let quiet: UInt8 = 0x7F

    /// Tells the decoder that no request has come for a while, and returns whether the decoder has taken that.
    func sendQuiet() -> Bool { [Self.quiet].withUnsafeBytes { RequestChannel.writeAll($0, to: socket) } }

    /// Waits for the next request. Returns nil when there are no more.
    ///
    /// - Parameter hasWork: Whether there is work to do if no request comes for a while.
    func next(hasWork: Bool) -> Next? {
      guard send(OpenerMessage(hasWork: hasWork)) else { return nil }
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      var descriptors = [Int32](repeating: -1, count: Int(MOST_DESCRIPTORS))
      var descriptorCount: Int32 = 0
      var count = receive_with_descriptors(socket, &chunk, chunk.count, &descriptors, &descriptorCount)
      if count == 1, chunk[0] == Self.quiet { return .quiet }
      guard count > 0, let files = RequestFiles(Array(descriptors.prefix(Int(descriptorCount))), bits: chunk[0])
      else { return nil }
      var buffer = WireBuffer()
      buffer.append(chunk[1..<count])
      do throws(WireError) {
        while true {
          if let request = try buffer.next(RenditionRequest.self) { return .request(request, files) }
          count = read(socket, &chunk, chunk.count)
          guard count > 0 else { return nil }
          buffer.append(chunk[..<count])
        }
      } catch {
        return nil
      }
    }

    /// Has a thumbnail stored of the photo of a request, whose image has this size. If that fails, the next decoding of the
    /// file tries again.
    func store(_ thumbnail: Pixels, of size: PixelSize, number: UInt32) {
      var byte: UInt8 = 0
      let message = OpenerMessage(thumbnail: thumbnail.size, image: size, number: number)
      guard send(message), RequestChannel.writeAll(UnsafeRawBufferPointer(thumbnail.words), to: socket) else { return }
      _ = withUnsafeMutableBytes(of: &byte) { Self.fill($0, from: socket) }
    }

    private func send(_ message: OpenerMessage) -> Bool {
      withUnsafeBytes(of: message) { RequestChannel.writeAll($0, to: socket) }
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
