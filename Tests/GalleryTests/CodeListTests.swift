import TestLimit
import Testing

@testable import Gallery

@Suite(.limited) struct CodeListTests {
  private var codes: CodeList {
    var codes = CodeList()
    codes.add(
      "be10\tLuka Modrić\tthe captain\r\n# no code\nvenue\tEstádio da Luz\n\tnothing\nteam\tA, B , C\nbe10x\t\n")
    codes.add("venue\tEstádio José Alvalade\n")
    return codes
  }

  @Test(arguments: [
    ("=be10=", "Luka Modrić"), ("=be10#2= runs", "the captain runs"),
    ("in =venue=, =be10=", "in Estádio José Alvalade, Luka Modrić"),
    ("=be10#3=", "=be10#3="), ("=be10#0=", "=be10#0="), ("=be10#-9223372036854775808=", "=be10#-9223372036854775808="),
    ("a = b = c", "a = b = c"), ("==be10=", "=Luka Modrić"),
    ("=nobody= =be10=", "=nobody= Luka Modrić"), ("=be10", "=be10"), ("=be\n10=", "=be\n10="), ("=BE10=", "=BE10="),
    ("=be10x=", ""), ("", ""), ("=", "="),
  ])
  func codesBecomeTheirTexts(text: String, expanded: String) {
    #expect(codes.expanding(text) == expanded)
  }

  @Test func theMarkCanBeAnother() {
    var codes = codes
    codes.mark = "\\"
    #expect(codes.expanding("\\be10\\ =be10=") == "Luka Modrić =be10=")
  }

  @Test func changesAreExpanded() {
    #expect(DecisionChange.caption("=be10=").expanding(codes) == .caption("Luka Modrić"))
    #expect(DecisionChange.set(.city, "=venue=").expanding(codes) == .set(.city, "Estádio José Alvalade"))
    #expect(
      DecisionChange.keywords(added: ["sea", "=team="], removed: ["=be10="]).expanding(codes)
        == .keywords(added: ["sea", "A", "B", "C"], removed: ["=be10="]))
    #expect(DecisionChange.label("=be10=").expanding(codes) == .label("=be10="))
  }
}
