import Gallery
import TestLimit
import Testing

@Suite(.limited) struct XDGFoldersTests {
  @Test(
    arguments: [
      (["HOME": "/h"], "/h/.local/state/tintype", "/h/.local/share/tintype"),
      (["HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d"], "/s/tintype", "/d/tintype"),
      (
        ["HOME": "/h", "XDG_STATE_HOME": "s", "XDG_DATA_HOME": ""], "/h/.local/state/tintype", "/h/.local/share/tintype"
      ),
      (["HOME": "h"], nil, nil), ([:], nil, nil),
    ] as [([String: String], String?, String?)])
  func relativePathsInVariablesAreIgnored(environment: [String: String], state: String?, data: String?) {
    let folders = XDGFolders(environment: environment)
    #expect(folders.state == state)
    #expect(folders.data == data)
  }

  @Test(
    arguments: [
      (["HOME": "/h"], "/h/.cache/tintype"), (["HOME": "/h", "XDG_CACHE_HOME": "/c"], "/c/tintype"),
      (["HOME": "/h", "XDG_CACHE_HOME": "c"], "/h/.cache/tintype"), (["HOME": "h"], nil),
    ] as [([String: String], String?)])
  func theCacheFolderFollowsItsVariable(environment: [String: String], cache: String?) {
    #expect(XDGFolders(environment: environment).cache == cache)
  }
}
