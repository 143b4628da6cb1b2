//===- PosixSearch.cpp - the whole by regexec, the groups by Boost --------===//
#include "stdlib/native/regex/PosixSearch.h"
#include "stdlib/native/regex/Bytes.h"

using namespace sluice;
using namespace sluice::posix;

namespace {

/// Made for the locale C, in which programs run.
class ByteSearch : public Search {
public:
  explicit ByteSearch(const Translation &pattern)
      : groups(pattern.perl, boost::regex::perl), endsAtEnd(pattern.endsAtEnd),
        isGood(!regcomp(&whole, pattern.whole.c_str(), REG_EXTENDED)) {}
  ~ByteSearch() override {
    if (isGood)
      regfree(&whole);
  }
  bool good() const { return isGood; }

  Result match(const char *text, size_t from, size_t to,
               std::vector<regmatch_t> &found) const override {
    if (endsAtEnd && found.size() > 1)
      return search(text, from, to, found, [this](Engine::At first, Engine::At last, auto &match) {
        return boost::regex_search(first, last, match, groups);
      });
    regmatch_t all = {0, regoff_t(to - from)};
    if (regexec(&whole, text + from, 1, &all, REG_STARTEND))
      return None;
    size_t begins = from + size_t(all.rm_so), ends = from + size_t(all.rm_eo);
    found[0] = {regoff_t(begins), regoff_t(ends)};
    if (found.size() == 1)
      return Found;
    auto result =
        search(text, begins, ends, found, [this](Engine::At first, Engine::At last, auto &match) {
          return boost::regex_match(first, last, match, groups);
        });
    return result == Found ? Found : Unknown;
  }

private:
  using Engine = perl::Engine<perl::Bytes>;

  /// What `finds` finds in [from, to). The C library takes over early from a search that goes back.
  static Result search(const char *text, size_t from, size_t to, std::vector<regmatch_t> &found,
                       auto finds) {
    perl::movesLeft = perl::kMovesOfCharacter * int64_t(to - from) + 1000;
    Engine::Match match;
    try {
      if (!finds(Engine::At{text + from}, Engine::At{text + to}, match))
        return None;
    } catch (const perl::TooManyMoves &) {
      return Unknown;
    } catch (const boost::regex_error &) {
      return Unknown;
    }
    for (size_t i = 0; i < found.size(); ++i) {
      const auto &group = match[int(i)];
      found[i] = {-1, -1};
      if (group.matched)
        found[i] = {regoff_t(group.first.at - text), regoff_t(group.second.at - text)};
    }
    return Found;
  }

  Engine::Regex groups;
  bool endsAtEnd;
  regex_t whole;
  bool isGood;
};

} // namespace

std::unique_ptr<Search> Search::of(std::string_view pattern, Alphabet alphabet) {
  std::optional<Translation> translation = translate(pattern, alphabet);
  if (!translation)
    return nullptr;
  try {
    auto search = std::make_unique<ByteSearch>(*translation);
    return search->good() ? std::move(search) : nullptr;
  } catch (const boost::regex_error &) { // more groups in each other than Boost takes
    return nullptr;
  }
}
