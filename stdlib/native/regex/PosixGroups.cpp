//===- PosixGroups.cpp - POSIX patterns in Perl's syntax ------------------===//
#include "stdlib/native/regex/PosixGroups.h"
#include "stdlib/native/regex/Bytes.h"
#include <bitset>
#include <cctype>
#include <optional>

using namespace sluice;
using namespace sluice::posix;

namespace {

/// A set of characters of ASCII.
using Set = std::bitset<128>;

bool isOneOf(char c, std::string_view some) { return some.find(c) != some.npos; }

/// Translates a pattern; gives up (nullopt, false) where POSIX and Perl may differ.
class Translator {
public:
  explicit Translator(std::string_view pattern) : rest(pattern) {}

  std::optional<std::string> translate() {
    // The match is known to begin and to end where these want it to.
    bool isAnchored = skip('^');
    bool endsAnchored = rest.ends_with('$') && !rest.ends_with("\\$") && !rest.ends_with("[$");
    if (endsAnchored)
      rest.remove_suffix(1);
    if (!alternatives() || !rest.empty() || (isBranched && (isAnchored || endsAnchored)))
      return std::nullopt;
    return std::move(out);
  }

private:
  bool skip(char c) {
    bool is = rest.starts_with(c);
    rest.remove_prefix(is);
    return is;
  }
  char take() {
    char c = rest.front();
    rest.remove_prefix(1);
    return c;
  }

  bool alternatives() {
    bool atTop = depth == 0;
    if (!branch())
      return false;
    while (skip('|')) {
      isBranched |= atTop;
      out += '|';
      if (!branch())
        return false;
    }
    return true;
  }

  bool branch() {
    bool isEmpty = true;
    for (; !rest.empty() && rest.front() != '|' && rest.front() != ')'; isEmpty = false) {
      bool isGroup = rest.front() == '(';
      if (!piece() || !quantifier(isGroup))
        return false;
    }
    return !isEmpty;
  }

  bool piece() {
    char c = take();
    switch (c) {
    case '(':
      return group();
    case '[':
      return bracket();
    case '.':
      out += c;
      return true;
    case '\\':
      if (rest.empty() || !ispunct(uint8_t(rest.front())) || isOneOf(rest.front(), "<>`'"))
        return false;
      literal(take());
      return true;
    case '*':
    case '+':
    case '?':
    case '{':
    case '^':
    case '$':
      return false;
    default:
      literal(c);
      return true;
    }
  }

  void literal(char c) {
    if (isalnum(uint8_t(c)))
      out += c;
    else
      hex(uint8_t(c));
  }
  void hex(unsigned c) {
    constexpr const char *digits = "0123456789abcdef";
    out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
  }

  bool group() {
    out += '(';
    ++depth;
    bool good = alternatives() && skip(')');
    --depth;
    out += ')';
    return good;
  }

  /// Behind a piece. A repeated group keeps other matches in Perl than in the C library.
  bool quantifier(bool isGroup) {
    if (rest.empty() || !isOneOf(rest.front(), "*+?{"))
      return true;
    size_t length = 1;
    if (rest.front() == '{') {
      length = rest.find('}') + 1;
      if (!length || !isInterval(rest.substr(1, length - 2)))
        return false;
    }
    if (isGroup && rest.front() != '?')
      return false;
    out += rest.substr(0, length);
    rest.remove_prefix(length);
    return rest.empty() || !isOneOf(rest.front(), "*+?{");
  }
  /// n or n,m or n, with numbers of up to three digits.
  static bool isInterval(std::string_view text) {
    size_t digits = 0, commas = 0;
    for (char c : text) {
      if (c == ',' && digits && !commas++)
        digits = 0;
      else if (!isdigit(uint8_t(c)) || ++digits > 3)
        return false;
    }
    return !text.empty() && text.front() != ',';
  }

  bool bracket() {
    bool isNegated = skip('^');
    Set set;
    bool isFirst = true;
    for (;; isFirst = false) {
      if (rest.empty())
        return false;
      char c = take();
      if (c == ']' && !isFirst)
        break;
      if (c == '[' && !rest.empty() && isOneOf(rest.front(), ".=:")) {
        if (!characterClass(set))
          return false;
        continue;
      }
      char last = c;
      if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
        rest.remove_prefix(1);
        last = take();
        if (last == '[' || last < c)
          return false;
      }
      for (int member = c; member <= last; ++member)
        set.set(size_t(member));
    }
    return put(isNegated ? ~set : set);
  }

  /// Behind the `[` of `[:alpha:]`.
  bool characterClass(Set &set) {
    size_t end = rest.find(":]");
    if (rest.front() != ':' || end == rest.npos || end == 0)
      return false;
    std::string name(rest.substr(1, end - 1));
    rest.remove_prefix(end + 2);
    uint32_t members = perl::Bytes::lookup_classname(name.data(), name.data() + name.size());
    bool isPosix = name.size() > 4 && name != "unicode"; // else only of Perl
    for (size_t c = 0; c < set.size(); ++c)
      if (perl::Bytes::isctype(char(c), members))
        set.set(c);
    return members && isPosix && name != "blank";
  }

  bool put(Set set) {
    set.reset(0);
    if (set.none())
      return false;
    out += '[';
    for (size_t c = 1; c < set.size(); ++c) {
      if (!set[c] || set[c - 1])
        continue;
      size_t last = c;
      while (last + 1 < set.size() && set[last + 1])
        ++last;
      hex(unsigned(c));
      out += '-';
      hex(unsigned(last));
    }
    out += ']';
    return true;
  }

  std::string_view rest;
  std::string out;
  int depth = 0;           // of groups
  bool isBranched = false; // at depth 0
};

struct BoostGroups : Groups {
  using Engine = perl::Engine<perl::Bytes>;
  Engine::Regex regex;
  explicit BoostGroups(const std::string &pattern) : regex(pattern, boost::regex::perl) {}

  bool find(const char *text, std::vector<regmatch_t> &groups) const override {
    const char *from = text + groups[0].rm_so, *to = text + groups[0].rm_eo;
    Engine::Match match;
    perl::movesLeft = perl::kMovesOfCharacter * (to - from) + 1000;
    try {
      if (!boost::regex_match(Engine::At{from}, Engine::At{to}, match, regex))
        return false;
    } catch (const perl::TooManyMoves &) {
      return false;
    } catch (const boost::regex_error &) {
      return false;
    }
    for (size_t i = 1; i < groups.size(); ++i)
      groups[i] = match[int(i)].matched ? regmatch_t{regoff_t(match[int(i)].first.at - text),
                                                     regoff_t(match[int(i)].second.at - text)}
                                        : regmatch_t{-1, -1};
    return true;
  }
};

} // namespace

std::unique_ptr<Groups> Groups::of(std::string_view pattern) {
  std::optional<std::string> perl = Translator(pattern).translate();
  return perl ? std::make_unique<BoostGroups>(*perl) : nullptr;
}
