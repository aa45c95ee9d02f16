import Gallery

extension ImageFault {
  func encode(to bytes: inout [UInt8]) {
    switch self {
    case .missing: bytes.append(0)
    case .notAFile: bytes.append(1)
    case .empty: bytes.append(2)
    case .unknownFormat: bytes.append(3)
    case .incomplete: bytes.append(4)
    case .noPreview: bytes.append(5)
    case .unencodable: bytes.append(6)
    case .timedOut: bytes.append(7)
    case .unresponsive: bytes.append(8)
    case .crashed: bytes.append(9)
    case .invalidAnswer: bytes.append(10)
    case .noCache: bytes.append(11)
    case .unreadable(let reason):
      bytes.append(12)
      bytes.put(reason: reason)
    case .noWorker(let reason):
      bytes.append(13)
      bytes.put(reason: reason)
    case .tooLarge(let width, let height):
      bytes.append(14)
      // The sizes in a file can be any numbers.
      for side in [width, height] { bytes.put(UInt64(bitPattern: Int64(side))) }
    case .damaged(let damage):
      bytes.append(15)
      damage.encode(to: &bytes)
    case .unsupported(let format): bytes += [16, format.rawValue]
    case .notExported(let obstacle):
      bytes.append(17)
      obstacle.encode(to: &bytes)
    case .archive(let fault):
      bytes.append(18)
      fault.encode(to: &bytes)
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .missing
    case 1: self = .notAFile
    case 2: self = .empty
    case 3: self = .unknownFormat
    case 4: self = .incomplete
    case 5: self = .noPreview
    case 6: self = .unencodable
    case 7: self = .timedOut
    case 8: self = .unresponsive
    case 9: self = .crashed
    case 10: self = .invalidAnswer
    case 11: self = .noCache
    case 12: self = .unreadable(reason: try reader.reason())
    case 13: self = .noWorker(reason: try reader.reason())
    case 14: self = .tooLarge(width: try reader.anyInt(), height: try reader.anyInt())
    case 15: self = .damaged(try Damage(from: &reader))
    case 16: self = .unsupported(try reader.value())
    case 17: self = .notExported(try Obstacle(from: &reader))
    case 18: self = .archive(try ArchiveFault(from: &reader))
    default: throw .malformed
    }
  }
}

extension ImageFault.Damage {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .unknown: bytes.append(0)
    case .noLibvips: bytes.append(1)
    case .header: bytes.append(2)
    case .tooManyFaults: bytes.append(3)
    case .library(let reason):
      bytes.append(4)
      bytes.put(reason: reason)
    case .noVideoLibrary: bytes.append(6)
    case .noRawLibrary: bytes.append(8)
    case .memory: bytes.append(9)
    case .coding(let name):
      bytes.append(7)
      bytes.put(reason: name)
    case .bitmap(let depth, let compression):
      bytes.append(5)
      for number in [depth, compression] { bytes.put(UInt64(bitPattern: Int64(number))) }
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .unknown
    case 1: self = .noLibvips
    case 2: self = .header
    case 3: self = .tooManyFaults
    case 4: self = .library(reason: try reader.reason())
    case 5: self = .bitmap(depth: try reader.anyInt(), compression: try reader.anyInt())
    case 6: self = .noVideoLibrary
    case 7: self = .coding(try reader.reason())
    case 8: self = .noRawLibrary
    case 9: self = .memory
    default: throw .malformed
    }
  }
}

extension ImageFault.Obstacle {
  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .noEncoder(let format): bytes += [0, format.rawValue]
    case .tooLarge(let count):
      bytes.append(1)
      bytes.put(count)
    case .noFont: bytes.append(2)
    case .unwritable(let reason):
      bytes.append(3)
      bytes.put(reason: reason)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .noEncoder(try reader.value())
    case 1: self = .tooLarge(bytes: try reader.int())
    case 2: self = .noFont
    case 3: self = .unwritable(reason: try reader.reason())
    default: throw .malformed
    }
  }
}

extension WireReader {
  /// Reads an integer of eight bytes.
  fileprivate mutating func anyInt() throws(WireError) -> Int { Int(Int64(bitPattern: try uint64())) }
}
