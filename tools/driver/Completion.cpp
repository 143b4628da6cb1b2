//===- Completion.cpp - completion of the command line --------------------===//
#include "tools/driver/OptionTable.h"
#include "tools/driver/Reference.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice::driver;
using llvm::StringRef;

//===--- what the tables say ------------------------------------------------===//

static bool takesFolder(const OptionInfo &option) {
  return option.argument && (StringRef(option.argument) == "DIR" || StringRef("-t") == option.name);
}
static bool takesFile(const OptionInfo &option) {
  return option.argument && StringRef(option.argument) == "FILE";
}

/// The first words of all commands, each once.
static llvm::SmallVector<StringRef> firstWords() {
  llvm::SmallVector<StringRef> words;
  for (const CommandInfo &command : installedCommands())
    if (StringRef word = StringRef(command.name).split(' ').first; !llvm::is_contained(words, word))
      words.push_back(word);
  words.append({"help", "version"});
  return words;
}
//===--- bash ---------------------------------------------------------------===//

static const char *const kBashBegin = R"(# bash completion for sluice
_sluice() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options= values= files=
  local command=${COMP_WORDS[1]}
  # --NAME=VALUE is three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";
static const char *const kBashEnd = R"(  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur")); return
  fi
  if [[ -n $files ]]; then
    COMPREPLY=($(compgen "$files" -- "$cur")); return
  fi
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
    return
  fi
  COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _sluice sluice
)";

static void printBash(llvm::raw_ostream &os) {
  os << kBashBegin << "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \""
     << llvm::join(firstWords(), " ") << " --help --version\" -- \"$cur\")); return\n  fi\n";
  for (const GroupInfo &group : groupTable())
    os << "  if [[ $command == " << group.name << " ]]; then\n    if ((COMP_CWORD == 2)); then\n"
       << "      COMPREPLY=($(compgen -W \"" << llvm::join(commandsOf(group), " ")
       << "\" -- \"$cur\")); return\n    fi\n    command=\"" << group.name
       << " ${COMP_WORDS[2]}\"\n  fi\n";
  os << "  case $command in\n";
  for (const CommandInfo &command : installedCommands()) {
    os << "    \"" << command.name << "\") options=\"--help";
    for (const OptionInfo &option : optionTable())
      if (isOf(option, command.command))
        os << " " << option.name
           << (option.argument && StringRef(option.name).starts_with("--") ? "=" : "");
    os << "\" ;;\n";
  }
  os << "  esac\n  case $prev in\n";
  for (const OptionInfo &option : optionTable()) {
    if (auto words = wordsOf(option); !words.empty())
      os << "    " << option.name << ") values=\"" << llvm::join(words, " ") << "\" ;;\n";
    else if (takesFolder(option) || takesFile(option))
      os << "    " << option.name << ") files=" << (takesFolder(option) ? "-d" : "-f") << " ;;\n";
  }
  os << "  esac\n" << kBashEnd;
}

//===--- zsh ----------------------------------------------------------------===//

/// Text inside '...' in which _arguments and _describe find nothing to do.
static std::string quoted(StringRef text) {
  std::string result;
  for (char c : text)
    if (c == '\'')
      result += "'\\''";
    else
      result += StringRef("[]:\\").contains(c) ? std::string("\\") + c : std::string(1, c);
  return result;
}

/// The commands of a group, or (null) those of none, in a variable of the shell.
static void describe(StringRef variable, const GroupInfo *group, llvm::raw_ostream &os) {
  os << "  local -a " << variable << "=(\n";
  for (const CommandInfo &command : installedCommands()) {
    auto [first, second] = StringRef(command.name).split(' ');
    if (group ? first == group->name && !second.empty() : second.empty())
      os << "    '" << (group ? second : first) << ":" << quoted(command.summary) << "'\n";
  }
  if (!group) {
    for (const GroupInfo &other : groupTable())
      os << "    '" << other.name << ":" << quoted(other.summary) << "'\n";
    os << "    'help:explain a command'\n    'version:say which version this is'\n";
  }
  os << "  )\n";
}

static void printZshOption(const OptionInfo &option, llvm::raw_ostream &os) {
  bool isLong = StringRef(option.name).starts_with("--");
  os << "      '" << option.name << (option.argument && isLong ? "=" : "") << "["
     << quoted(option.help) << "]";
  if (option.argument) {
    os << ":" << quoted(option.argument) << ":";
    if (auto words = wordsOf(option); !words.empty())
      os << "(" << llvm::join(words, " ") << ")";
    else if (takesFolder(option) || takesFile(option))
      os << (takesFolder(option) ? "_files -/" : "_files");
  }
  os << "' \\\n";
}

static void printZsh(llvm::raw_ostream &os) {
  os << "#compdef sluice\n_sluice() {\n";
  describe("commands", nullptr, os);
  for (const GroupInfo &group : groupTable())
    describe(std::string("of_") + group.name, &group, os);
  os << "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
        "  local command=$words[2]\n  shift words; ((CURRENT--))\n"
        "  case $command in\n";
  for (const GroupInfo &group : groupTable())
    os << "    " << group.name << ")\n      if ((CURRENT == 2)); then _describe command of_"
       << group.name << "; return; fi\n      command=\"" << group.name
       << " $words[2]\"; shift words; ((CURRENT--)) ;;\n";
  os << "  esac\n  case $command in\n";
  for (const CommandInfo &command : installedCommands()) {
    os << "    \"" << command.name << "\") _arguments \\\n";
    for (const OptionInfo &option : optionTable())
      if (isOf(option, command.command))
        printZshOption(option, os);
    os << "      '--help[explain the command]' '*:file:_files' ;;\n";
  }
  os << "  esac\n}\n_sluice \"$@\"\n";
}

bool sluice::driver::printCompletion(StringRef shell, llvm::raw_ostream &os) {
  if (shell != "bash" && shell != "zsh")
    return false;
  (shell == "bash" ? printBash : printZsh)(os);
  return true;
}
