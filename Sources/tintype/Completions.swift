import ArgumentParser
import Foundation

extension CompletionKind {
  /// The names of the themes, those of the user included.
  static var themes: CompletionKind { .shellCommand("tintype config --themes 2> /dev/null") }
}

/// The whole command line as one tree, in which the gallery is a subcommand like the others. Nothing parses with it: the
/// completions are generated from it.
private struct CommandTree: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Tintype.configuration.commandName, subcommands: Tintype.configuration.subcommands + [Browse.self])
}

/// The completion scripts for bash, zsh and fish.
///
/// ArgumentParser writes them from ``CommandTree``. Its scripts can't complete a command that has both subcommands and
/// files: the files hide the subcommands. In the tree, the gallery is a subcommand, too, and so it has completions of its
/// own. The function that each script begins with is replaced by one that decides like `Main.main()`: it goes by the
/// first word, which names a subcommand or belongs to the gallery.
enum Completions {
  /// The option of ArgumentParser that prints a script.
  private static let option = "--generate-completion-script"

  /// Returns the shell for which the arguments request a script, by default the user's; nil if they request none, or if
  /// the shell is unsupported.
  static func shell(in arguments: [String]) -> CompletionShell? {
    guard let index = arguments.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
    let isSeparate = arguments[index] == option
    let name = isSeparate ? arguments.dropFirst(index + 1).first : String(arguments[index].dropFirst(option.count + 1))
    return name.map { CompletionShell(rawValue: $0) } ?? CompletionShell.autodetected()
  }

  static func script(for shell: CompletionShell) -> String {
    let script = CommandTree.completionScript(for: shell)
    switch shell {
    case .bash:
      // A script that is sourced needs no interpreter line.
      return script.replacing("#!/bin/bash\n\n", with: "", maxReplacements: 1) + "\n\n" + bashRoot
    case .zsh:
      // The last lines call the function.
      let call = "if [[ \"${funcstack[1]}\" = _tintype ]]; then"
      // With an equal sign, the value of an option can be its own word or follow after "=".
      return script.replacing(#/(?m)^( *'\*?--[a-z-]+)\[(.*\]:)/#) { "\($0.1)=[\($0.2)" }
        .replacing(call, with: zshRoot + "\n\n" + call)
    default: return script + "\n\n" + fishRoot
    }
  }

  private static let reason = """
    # The first word names a subcommand, or else belongs to the gallery, whose completions are those of a subcommand
    # "tintype" here.
    """

  private static let subcommands = Tintype.configuration.subcommands.map { $0.configuration }
  private static let names = subcommands.compactMap(\.commandName)

  /// Returns the lines that `line` returns for each subcommand.
  /// - Parameter line: Takes the subcommand's name, its name with its aliases, and its abstract.
  private static func lines(_ line: (_ name: String, _ names: [String], _ abstract: String) -> String) -> String {
    subcommands.map { line($0.commandName ?? "", [$0.commandName ?? ""] + $0.aliases, $0.abstract) }
      .joined(separator: "\n")
  }

  /// Returns a text in single quotes.
  /// - Parameter quote: The text that replaces a single quote.
  private static func quoted(_ text: String, escapingQuotesAs quote: String) -> String {
    "'" + text.replacing("'", with: quote) + "'"
  }
}

// MARK: - The first function

extension Completions {
  private static var bashRoot: String {
    let cases = lines { name, names, _ in
      """
              \(names.joined(separator: "|")))
                  unparsed_words=("${unparsed_words[@]:1}")
                  _tintype_\(name)
                  return
                  ;;
      """
    }
    return """
      \(reason)
      _tintype() {
          local -r cur="${2}"
          local prev="${3}" word
          local -i positional_number
          local -a unparsed_words=() repeating_flags non_repeating_flags repeating_options non_repeating_options

          # Readline splits --option=value into three words.
          [[ "${prev}" = '=' ]] && prev="${COMP_WORDS[COMP_CWORD - 2]}"
          for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
              [[ "${word}" = '=' ]] || unparsed_words+=("${word}")
          done
          [[ "${word}" = '=' ]] && unparsed_words+=('')

          if ((COMP_CWORD > 1)); then
              case "${COMP_WORDS[1]}" in
      \(cases)
              esac
          else
              COMPREPLY+=($(compgen -W '\(names.joined(separator: " "))' -- "${cur}"))
          fi
          _tintype_tintype
      }
      """
  }

  private static var zshRoot: String {
    let cases = lines { name, names, _ in
      """
              \(names.joined(separator: "|")))
                  shift words
                  ((CURRENT--))
                  _tintype_\(name)
                  return
                  ;;
      """
    }
    let abstracts = lines { name, _, abstract in
      "            " + quoted("\(name):\(abstract)", escapingQuotesAs: #"'\''"#)
    }
    return """
      \(reason)
      _tintype() {
          emulate -RL zsh -G
          setopt extendedglob nullglob numericglobsort
          unsetopt aliases banghist

          local context state state_descr line
          local -A opt_args
          local -i ret=1
          if ((CURRENT > 2)); then
              case "${words[2]}" in
      \(cases)
              esac
          elif [[ "${PREFIX}" != -* ]]; then
              local -ar subcommands=(
      \(abstracts)
              )
              _describe -V subcommand subcommands && ret=0
          fi
          _tintype_tintype && ret=0
          return "${ret}"
      }
      """
  }

  private static var fishRoot: String {
    let cases = lines { name, names, _ in
      """
              case \(names.joined(separator: " "))
                  set tokens[2] \(name)
      """
    }
    let completions = lines { name, _, abstract in
      "complete -c tintype -n __tintype_is_first_word -a \(name) -d " + quoted(abstract, escapingQuotesAs: #"\'"#)
    }
    return """
      \(reason)
      functions -e __tintype_typed_tokens
      functions -c __tintype_tokens __tintype_typed_tokens
      function __tintype_tokens
          set -l tokens (__tintype_typed_tokens $argv)
          if test "$argv" = -pc
              switch "$tokens[2]"
      \(cases)
              case '*'
                  set tokens $tokens[1] tintype $tokens[2..]
              end
          end
          printf %s\\n $tokens
      end
      function __tintype_is_first_word
          test (count (__tintype_typed_tokens -pc)) -eq 1
      end
      \(completions)
      """
  }
}
