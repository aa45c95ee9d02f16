import Gallery
import Photos
import TestLimit
import Testing

@Suite(.limited) struct PhotoNameTests {
  private func bytes(_ name: String) -> ArraySlice<UInt8> { Array(name.utf8)[...] }

  @Test func suffixesSayWhichFilesAreImages() {
    for name in ["a.jpg", "a.b.JPEG", "a.CRW", "a.3fr", "a.jp2", "a.tga", "a.x3f", "a.pfm"] {
      #expect(PhotoName.isPhoto(bytes(name)) && !PhotoName.saysNothing(bytes(name)), "\(name)")
    }
    for name in ["a", ".jpg", "jpg", "a.jpgx", "a.txt", "a.hdr", "a.jpg.bak", ""] {
      #expect(!PhotoName.isPhoto(bytes(name)), "\(name)")
    }
  }

  @Test func aNameWithoutAKnownSuffixSaysNothing() {
    for name in ["a", "README", "IMG_0001", "a.jpg_large", "a.jpg~", "a.jpg.bak", "a.hdr", "a.raw", "a.longsuffix"] {
      #expect(PhotoName.saysNothing(bytes(name)), "\(name)")
    }
    // Nobody expects photos in these, and a folder may have thousands of them.
    for name in ["a.txt", "a.JSON", "a.mp3", "a.jpg.xmp", "a.swift", "a.sqlite3", "a.torrent", "a.thm"] {
      #expect(!PhotoName.saysNothing(bytes(name)), "\(name)")
    }
  }

  @Test func onlyASuffixSaysThatAFileIsAVideo() {
    for name in ["a.mov", "IMG_0001.MP4"] { #expect(PhotoKind(FilePath(name)) == .video, "\(name)") }
    for name in ["a", "mov", "a.jpg", "a.mov_large", "a.mov.xmp", ""] {
      #expect(PhotoKind(FilePath(name)) != .video, "\(name)")
    }
  }
}
