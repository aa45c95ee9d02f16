import HTTP
import TestLimit
import Testing

@Suite(.limited) struct AddressTests {
  @Test(arguments: [
    ("</2>; rel=\"next\"", "/2"), ("<2>;rel=next", "2"), ("<a>; rel=prev, <b>; rel=\"last  NEXT\"", "b"),
    ("<a,b;c>; title=\"x, <y>; rel=next\"; rel = next", "a,b;c"), ("<a>; title=\"\\\"\"; rel=next", "a"),
    ("<a>; rel=next; anchor=\"#x\", <b>; rel=next", "b"), ("<a>; rel=first; rel=next, <b>; REL=next", "b"),
    ("<>; rel=next", ""), ("<a>; rel=nextpage", nil), ("<a>", nil), ("a; rel=next", nil), ("", nil), ("<a", nil),
    ("<a>; title=\"; rel=next", nil),
  ])
  func aRelationOfALinkHeaderIsFound(header: String, target: String?) {
    #expect(WebLink.target(of: "next", in: header) == target)
  }

  @Test(arguments: [
    ("http://a.org/b", "http://a.org:80/b?page=2"), ("http://a.org/b?page=1&x=y#z", "http://a.org:80/b?page=2&x=y"),
    ("http://a.org/b?x=y&page", "http://a.org:80/b?x=y&page=2"),
    ("http://a.org/?pages=1", "http://a.org:80/?pages=1&page=2"),
    ("http://a.org/?page=1&q=a?b&page=7", "http://a.org:80/?page=2&q=a?b"),
  ])
  func aParameterOfAQueryIsSet(address: String, next: String) throws {
    #expect(try #require(HTTPAddress(address)).setting("page", to: 2)?.text == next)
  }

  @Test func onlyTheNamedServerReceivesItsHeaders() {
    let server = NamedServer("http://A.org/x", headers: ["X-Key": "k"])
    for (address, headers) in [
      ("http://a.org/y", ["X-Key": "k"]), ("https://a.org/y", ["X-Key": "k"]), ("http://a.org:81/y", [:]),
      ("http://b.a.org/", [:]), ("http://a.org.evil.example/", [:]), ("http://a.org@evil.example/", [:]),
      ("nonsense", [:]),
    ] {
      let request = server.request(address)
      #expect(request.headers == headers, "\(address)")
      #expect(request.namedHost == "a.org")
    }
    #expect(server.isHost(of: "https://a.org:81/"))
    #expect(!server.isHost(of: "https://b.org/"))
  }

  @Test func theCacheKeyDependsOnTheAddressAndTheHeaders() {
    let requests = [
      HTTPRequest("http://a.org/"), HTTPRequest("http://a.org/2"), HTTPRequest("http://a.org/", headers: ["A": "b"]),
      HTTPRequest("http://a.org/", headers: ["A": "b", "C": "d"]), HTTPRequest("http://a.org/", headers: ["A": "c"]),
    ]
    #expect(Set(requests.map(\.cacheKey)).count == requests.count)
    #expect(requests[0].cacheKey == "http://a.org/")
  }
}
