//===- PosixRegex.cpp - regexMatch, regexReplace of rstrings --------------===//
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/regex/Posix.h"
#include "stdlib/native/regex/PosixSearch.h"
#include "value/Text.h"

using namespace sluice;

namespace {

/// Text to be searched.
struct Text {
  const char *data;
  size_t size;
  bool isAscii, isUtf8;

  explicit Text(const Str *s) : data(s->data()), size(s->len), isAscii(posix::isAscii(viewOf(*s))) {
    isUtf8 = !isAscii && posix::isUtf8(viewOf(*s));
  }
};

class Regex {
public:
  explicit Regex(const std::string &text) : text(text), pattern(text) {}

  /// Says what is wrong with the pattern; 0 if nothing is.
  int32_t fails(Ctx *ctx) const { return pattern.fails(ctx, text); }
  size_t groups() const { return pattern.groups(); }

  /// As Pattern::match, in [from, the end) of the text.
  bool match(const Text &in, size_t from, std::vector<regmatch_t> &found) {
    if (in.isUtf8 || (in.isAscii && found.size() > 1)) {
      auto &search = in.isUtf8 ? ofUtf8 : ofAscii;
      if (!search.has_value())
        search =
            posix::Search::of(text, in.isUtf8 ? posix::Alphabet::Utf8 : posix::Alphabet::Ascii);
      auto result =
          *search ? (*search)->match(in.data, from, in.size, found) : posix::Search::Unknown;
      if (result != posix::Search::Unknown)
        return result == posix::Search::Found;
    }
    return pattern.match(in.data, in.isAscii, from, in.size, found);
  }

private:
  std::string text;
  posix::Pattern pattern;
  /// Made when a text of that kind comes first; null if the pattern cannot be searched so.
  std::optional<std::unique_ptr<posix::Search>> ofAscii, ofUtf8;
};

/// Null after sl_error.
Regex *compile(Ctx *ctx, const Str *pattern) {
  thread_local LastUsed<Regex> kept;
  if (Regex *known = kept.find(viewOf(*pattern)))
    return known;
  std::string text(viewOf(*pattern));
  Regex regex(text);
  return regex.fails(ctx) ? nullptr : kept.add(text, std::move(regex));
}

/// The number of the group that `\1` to `\9` at `at` stands for; else 0.
size_t groupAt(std::string_view replacement, size_t at) {
  bool isGroup = replacement[at] == '\\' && at + 1 < replacement.size() &&
                 replacement[at + 1] >= '1' && replacement[at + 1] <= '9';
  return isGroup ? size_t(replacement[at + 1] - '0') : 0;
}

bool namesGroups(std::string_view replacement) {
  for (size_t i = 0; i < replacement.size(); ++i)
    if (groupAt(replacement, i))
      return true;
  return false;
}

/// \1 to \9 stand for groups, all else for itself.
void expand(TextOut &out, std::string_view replacement, const char *text,
            const std::vector<regmatch_t> &groups) {
  for (size_t i = 0; i < replacement.size(); ++i) {
    size_t g = groupAt(replacement, i);
    if (!g) {
      out.put(replacement[i]);
      continue;
    }
    ++i;
    if (g < groups.size() && groups[g].rm_so >= 0)
      out.put({text + groups[g].rm_so, size_t(groups[g].rm_eo - groups[g].rm_so)});
  }
}

} // namespace

/// The match and its groups; those that took no part are left out.
SL(regexMatch, rr)(Ctx *ctx, Seq *result, const Str *s, const Str *pattern) {
  Regex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  thread_local std::vector<regmatch_t> groups;
  groups.resize(regex->groups() + 1);
  *result = {};
  if (!regex->match(Text(s), 0, groups))
    return 0;
  Seq list = scratchList(ctx, groups.size(), sizeof(Str));
  list.len = 0;
  for (const regmatch_t &g : groups)
    if (g.rm_so >= 0)
      listData<Str>(list)[list.len++] = strView(s->data() + g.rm_so, uint64_t(g.rm_eo - g.rm_so));
  *result = list;
  return 0;
}

/// Empty matches are ignored.
SL(regexReplace, rrrb)(Ctx *ctx, Str *result, const Str *s, const Str *pattern,
                       const Str *replacement, uint8_t global) {
  Regex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  thread_local std::vector<regmatch_t> groups;
  groups.resize(namesGroups(viewOf(*replacement)) ? regex->groups() + 1 : 1);
  TextOut out;
  const char *text = s->data();
  size_t at = 0, end = s->len;
  Text in(s);
  while (at < end && regex->match(in, at, groups)) {
    size_t from = size_t(groups[0].rm_so), to = size_t(groups[0].rm_eo);
    if (from == to) { // nothing to replace: go on behind the next character
      size_t next = from < end ? from + posix::characterAt(text, from, end) : end;
      out.put({text + at, next - at});
      at = next;
      continue;
    }
    out.put({text + at, from - at});
    expand(out, viewOf(*replacement), text, groups);
    at = to;
    if (!global)
      break;
  }
  out.put({text + at, end - at});
  *result = keepText(ctx, out.data, out.size);
  return 0;
}
