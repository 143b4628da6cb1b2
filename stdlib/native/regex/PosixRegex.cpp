//===- PosixRegex.cpp - regexMatch, regexReplace of rstrings --------------===//
#include "stdlib/native/regex/PatternCache.h"
#include "stdlib/native/regex/Posix.h"
#include "stdlib/native/regex/PosixGroups.h"
#include "value/Text.h"

using namespace sluice;

namespace {

class Regex {
public:
  explicit Regex(const std::string &text) : pattern(text) {}

  /// Says what is wrong with the pattern; 0 if nothing is, and it may be used.
  int32_t check(Ctx *ctx, const std::string &text) {
    if (pattern.fails(ctx, text))
      return 1;
    if (pattern.groups() && pattern.isOfBytes())
      groupsOfBytes = posix::Groups::of(text);
    return 0;
  }
  size_t groups() const { return pattern.groups(); }

  /// As Pattern::match.
  bool match(const char *text, bool ascii, size_t from, size_t to,
             std::vector<regmatch_t> &found) const {
    if (!ascii || !groupsOfBytes || found.size() == 1)
      return pattern.match(text, ascii, from, to, found);
    thread_local std::vector<regmatch_t> whole(1);
    if (!pattern.match(text, ascii, from, to, whole))
      return false;
    found[0] = whole[0];
    return groupsOfBytes->find(text, found) || pattern.match(text, ascii, from, to, found);
  }

private:
  posix::Pattern pattern;
  std::unique_ptr<posix::Groups> groupsOfBytes;
};

/// Null after sl_error.
const Regex *compile(Ctx *ctx, const Str *pattern) {
  thread_local PatternCache<Regex> kept;
  if (const Regex *known = kept.find(viewOf(*pattern)))
    return known;
  std::string text(viewOf(*pattern));
  Regex regex(text);
  return regex.check(ctx, text) ? nullptr : kept.add(text, std::move(regex));
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
  const Regex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  thread_local std::vector<regmatch_t> groups;
  groups.resize(regex->groups() + 1);
  *result = {};
  if (!regex->match(s->data(), posix::isAscii(viewOf(*s)), 0, s->len, groups))
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
  const Regex *regex = compile(ctx, pattern);
  if (!regex)
    return 1;
  thread_local std::vector<regmatch_t> groups;
  groups.resize(namesGroups(viewOf(*replacement)) ? regex->groups() + 1 : 1);
  TextOut out;
  const char *text = s->data();
  size_t at = 0, end = s->len;
  bool ascii = posix::isAscii(viewOf(*s));
  while (at < end && regex->match(text, ascii, at, end, groups)) {
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
