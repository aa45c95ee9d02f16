import Gallery
import Remote
import TestLimit
import Testing

@Suite(.limited) struct RemoteAddressTests {
  @Test(arguments: [
    ("nas:Pictures", "nas", "Pictures"), ("alice@nas:/srv/photos", "alice@nas", "/srv/photos"), ("nas:", "nas", ""),
    ("ssh://nas/srv", "nas", "/srv"), ("ssh://alice@nas:2222/~/Pictures", "alice@nas:2222", "Pictures"),
    ("ssh://nas/~", "nas", ""), ("ssh://nas", "nas", ""), ("ssh://[::1]:22/a", "[::1]:22", "/a"),
  ])
  func aMachineAndAPathAreFound(text: String, machine: String, path: String) throws {
    let address = try #require(RemoteAddress(text.utf8))
    #expect(address.machine == machine && address.path == Array(path.utf8))
    // The text of a place leads to the same folder.
    let again = try #require(RemoteAddress(address.text))
    #expect(again.machine == address.machine && again.path == address.path)
  }

  @Test(arguments: [
    "Pictures", "http://nas/a", "/srv/a:b", "./a:b", "-oProxyCommand=x:a", ":a", "ssh://nas:0/a", "ssh://nas:x/a",
    "ssh:///a",
    "ssh://-l/a", "a b:c", "a'b:c",
  ])
  func otherTextsAreNoAddresses(text: String) { #expect(RemoteAddress(text.utf8) == nil) }

  @Test func aPathHereNamesTheMachineAndThePathThere() throws {
    for path in ["/srv/a.jpg", "/", "/a:/b"] as [FilePath] {
      let here = FilePath(path, on: "alice@nas:22")
      let there = try #require(here.remote)
      #expect(there.machine == "alice@nas:22" && there.path == path)
    }
    #expect(FilePath("/srv/a.jpg", on: "nas").folder == FilePath("/srv", on: "nas"))
    #expect(FilePath("/a.jpg", on: "nas").folder == FilePath("/", on: "nas"))
    #expect(FilePath("/srv/a.jpg", on: "nas").printable == "nas:/srv/a.jpg")
    #expect(
      FilePath("/ssh:/a").remote == nil && FilePath("/ssh/a:/b").remote == nil && FilePath("/ssh::/b").remote == nil)
  }
}
