//===- Icu.h - ICU, found when it is first needed ---------------*- C++ -*-===//
//
// Loaded at run time: programs without ustrings beyond ASCII need no ICU, and programs for other
// targets link without that target's copy of it. The names of its functions end in the number of
// its release; their signatures are those of ICU's C API, which does not change.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

struct IcuRegex;
struct IcuCaseMap;
/// UErrorCode: above 0 is a failure.
using IcuError = int;
constexpr IcuError kIcuTooSmall = 15;

#define SLUICE_ICU_FUNCTIONS(F)                                                                    \
  F(u_errorName, const char *, (IcuError))                                                         \
  F(ucasemap_open, IcuCaseMap *, (const char *locale, uint32_t options, IcuError *))               \
  F(ucasemap_utf8ToUpper, int32_t,                                                                 \
    (const IcuCaseMap *, char *to, int32_t room, const char *from, int32_t size, IcuError *))      \
  F(ucasemap_utf8ToLower, int32_t,                                                                 \
    (const IcuCaseMap *, char *to, int32_t room, const char *from, int32_t size, IcuError *))      \
  F(ucnv_convert, int32_t,                                                                         \
    (const char *toName, const char *fromName, char *to, int32_t room, const char *from,           \
     int32_t size, IcuError *))                                                                    \
  F(uregex_open, IcuRegex *,                                                                       \
    (const char16_t *pattern, int32_t size, uint32_t flags, void *parseError, IcuError *))         \
  F(uregex_close, void, (IcuRegex *))                                                              \
  F(uregex_setText, void, (IcuRegex *, const char16_t *text, int32_t size, IcuError *))            \
  F(uregex_find, int8_t, (IcuRegex *, int32_t start, IcuError *))                                  \
  F(uregex_findNext, int8_t, (IcuRegex *, IcuError *))                                             \
  F(uregex_groupCount, int32_t, (IcuRegex *, IcuError *))                                          \
  F(uregex_start, int32_t, (IcuRegex *, int32_t group, IcuError *))                                \
  F(uregex_end, int32_t, (IcuRegex *, int32_t group, IcuError *))

struct Icu {
#define F(name, result, parameters) result(*name) parameters;
  SLUICE_ICU_FUNCTIONS(F)
#undef F
};

/// Null if this system has no ICU.
const Icu *icu();
constexpr const char *kNoIcu =
    "needs ICU, which this system does not have (install Debian's package libicu72, or libicu76)";

} // namespace sluice
