//===- Options.h - the options of a command line ----------------*- C++ -*-===//
//
// The driver, the programs that it builds and the simulator each have one table of their options.
// What an option is, how a word is found in the table and how rules are checked is here. How
// problems are worded is theirs.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// What a setter says of a value.
struct Setting {
  bool taken;
  std::string problem; // if it was not taken: what stands behind the option's name in the message;
                       // empty: it is no value of the option
  Setting(bool taken) : taken(taken) {}
  Setting(std::string problem) : taken(problem.empty()), problem(std::move(problem)) {}
  Setting(const char *problem) : taken(false), problem(problem) {}
};

template <typename Options> struct Option {
  /// The argument is null of a flag; `exact|any`: words that may be given, of which those in
  /// capital letters stand for others; `[=...]`: it may be left out, and stands in the same word.
  const char *name, *argument;
  uint32_t commands; // a bit for each that takes it
  const char *help;
  /// Of a flag the value is empty.
  std::function<Setting(Options &, std::string_view value)> set;

  bool mayLackValue() const { return argument && argument[0] == '[' && argument[1] == '='; }
  /// How it is given: `--name=VALUE`.
  std::string head() const {
    const char *between = mayLackValue() ? "" : name[1] == '-' ? "=" : " ";
    return argument ? std::string(name) + between + argument : name;
  }
};

/// A word of the command line that begins with a dash.
struct OptionWord {
  std::string_view name, value;
  bool hasValue = false; // in the same word
};
/// `--name=value` in its parts.
inline OptionWord splitOption(std::string_view word) {
  size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
  if (equals == word.npos)
    return {word, {}};
  return {word.substr(0, equals), word.substr(equals + 1), true};
}

enum class Match {
  Unknown,    // there is no option of that name
  OfOthers,   // the command does not take it
  TakesNone,  // a flag has no value
  NeedsValue, // there is none
  Found
};
template <typename Options> struct Matched {
  Match match;
  const Option<Options> *option; // null: unknown
  std::string_view value;
};

/// Looks a word up, which stands at `at`. Its value may be the next word, if that does not begin
/// with `--`: then `at` moves there.
template <typename Options>
Matched<Options> matchOption(std::span<const Option<Options>> table, uint32_t command,
                             OptionWord word, int argc, char **argv, int &at) {
  for (const Option<Options> &option : table) {
    if (word.name != option.name)
      continue;
    if (!(option.commands & command))
      return {Match::OfOthers, &option, {}};
    if (!option.argument || word.hasValue)
      return {option.argument || !word.hasValue ? Match::Found : Match::TakesNone, &option,
              word.value};
    if (option.mayLackValue())
      return {Match::Found, &option, {}};
    if (at + 1 >= argc || std::string_view(argv[at + 1]).starts_with("--"))
      return {Match::NeedsValue, &option, {}};
    return {Match::Found, &option, argv[++at]};
  }
  return {Match::Unknown, nullptr, {}};
}

/// What options say together that does not fit. Empty, or what is wrong.
template <typename Options> using OptionRule = std::string (*)(const Options &);

/// What the first rule says that is broken. Empty: none is.
template <typename Options>
std::string brokenRule(std::span<const OptionRule<Options>> rules, const Options &options) {
  for (OptionRule<Options> rule : rules)
    if (std::string problem = rule(options); !problem.empty())
      return problem;
  return "";
}

} // namespace sluice
