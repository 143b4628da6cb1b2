//===- RegexFunctions.cpp - regexMatch, regexReplace ------------*- C++ -*-===//
//
// POSIX extended expressions of the C library. Compiled ones are kept per
// thread, by their text.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <memory>
#include <regex.h>
#include <string>
#include <unordered_map>
#include <vector>

using namespace sluice;

namespace {

struct Regex {
  regex_t compiled;
  int error;
  explicit Regex(const std::string &pattern)
      : error(regcomp(&compiled, pattern.c_str(), REG_EXTENDED)) {}
  ~Regex() {
    if (!error)
      regfree(&compiled);
  }
  /// Matches within [from, to) of `text`; offsets count from `text`.
  bool match(const char *text, size_t from, size_t to, std::vector<regmatch_t> &groups) const {
    groups.resize(compiled.re_nsub + 1);
    // The part stands alone: ^ matches at its beginning.
    groups[0] = {0, regoff_t(to - from)};
    if (regexec(&compiled, text + from, groups.size(), groups.data(), REG_STARTEND))
      return false;
    for (regmatch_t &g : groups)
      if (g.rm_so >= 0) {
        g.rm_so += regoff_t(from);
        g.rm_eo += regoff_t(from);
      }
    return true;
  }
};

constexpr size_t kKept = 64;

/// Null after sl_error.
const Regex *compile(Ctx *ctx, const Str *pattern) {
  thread_local std::unordered_map<std::string, std::unique_ptr<Regex>> kept;
  std::string key(viewOf(*pattern));
  auto it = kept.find(key);
  if (it == kept.end()) {
    auto regex = std::make_unique<Regex>(key);
    if (regex->error) {
      char why[200];
      regerror(regex->error, &regex->compiled, why, sizeof why);
      sl_error(ctx, "bad regular expression '%.100s': %s", key.c_str(), why);
      return nullptr;
    }
    if (kept.size() == kKept)
      kept.clear();
    it = kept.emplace(std::move(key), std::move(regex)).first;
  }
  return it->second.get();
}

/// \1 to \9 stand for groups, all else for itself.
void expand(TextOut &out, std::string_view pattern, const char *text,
            const std::vector<regmatch_t> &groups) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    bool group = pattern[i] == '\\' && i + 1 < pattern.size() && pattern[i + 1] >= '1' &&
                 pattern[i + 1] <= '9';
    if (!group) {
      out.put(pattern[i]);
      continue;
    }
    size_t g = size_t(pattern[++i] - '0');
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
  std::vector<regmatch_t> groups;
  *result = {};
  if (!regex->match(s->data(), 0, s->len, groups))
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
  std::vector<regmatch_t> groups;
  TextOut out;
  const char *text = s->data();
  size_t at = 0, end = s->len;
  while (at < end && regex->match(text, at, end, groups)) {
    size_t from = size_t(groups[0].rm_so), to = size_t(groups[0].rm_eo);
    if (from == to) { // nothing to replace: go on behind the next byte
      size_t next = from < end ? from + 1 : end;
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
