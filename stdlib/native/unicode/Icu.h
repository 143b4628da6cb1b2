//===- Icu.h - ICU, found when it is first needed ---------------*- C++ -*-===//
//
// Loaded at run time: programs without ustrings beyond ASCII need no ICU, and programs for other
// targets link without that target's copy of it. The names of its functions end in the number of
// its release; their signatures are those of ICU's C API, which does not change. All is in this
// header, as the compiler knows the names of encodings by it, too.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <dlfcn.h>
#include <string>

namespace sluice {

struct IcuRegex;
struct IcuCaseMap;
struct IcuConverter;
struct IcuCollator;
struct IcuNumberFormat;
/// UErrorCode: above 0 is a failure.
using IcuError = int;
constexpr IcuError kIcuTooSmall = 15;
/// What a converter does with what it cannot convert: functions of ICU, which are not called here.
using IcuFromCallback = void(const void *, void *, const char16_t *, int32_t, int32_t, int,
                             IcuError *);
using IcuToCallback = void(const void *, void *, const char *, int32_t, int, IcuError *);

#define SLUICE_ICU_FUNCTIONS(F)                                                                    \
  F(u_errorName, const char *, (IcuError))                                                         \
  F(u_charType, int8_t, (int32_t))                                                                 \
  F(u_tolower, int32_t, (int32_t))                                                                 \
  F(u_toupper, int32_t, (int32_t))                                                                 \
  F(u_foldCase, int32_t, (int32_t, uint32_t options))                                              \
  F(u_isblank, int8_t, (int32_t))                                                                  \
  F(u_isspace, int8_t, (int32_t))                                                                  \
  F(u_digit, int32_t, (int32_t, int8_t radix))                                                     \
  F(u_charFromName, int32_t, (int choice, const char *name, IcuError *))                           \
  F(ucol_open, IcuCollator *, (const char *locale, IcuError *))                                    \
  F(ucol_close, void, (IcuCollator *))                                                             \
  F(ucol_setStrength, void, (IcuCollator *, int))                                                  \
  F(ucol_getSortKey, int32_t,                                                                      \
    (const IcuCollator *, const char16_t *, int32_t size, uint8_t *to, int32_t room))              \
  F(ucasemap_open, IcuCaseMap *, (const char *locale, uint32_t options, IcuError *))               \
  F(ucasemap_utf8ToUpper, int32_t,                                                                 \
    (const IcuCaseMap *, char *to, int32_t room, const char *from, int32_t size, IcuError *))      \
  F(ucasemap_utf8ToLower, int32_t,                                                                 \
    (const IcuCaseMap *, char *to, int32_t room, const char *from, int32_t size, IcuError *))      \
  F(ucnv_convert, int32_t,                                                                         \
    (const char *toName, const char *fromName, char *to, int32_t room, const char *from,           \
     int32_t size, IcuError *))                                                                    \
  F(ucnv_open, IcuConverter *, (const char *name, IcuError *))                                     \
  F(ucnv_close, void, (IcuConverter *))                                                            \
  F(ucnv_reset, void, (IcuConverter *))                                                            \
  F(ucnv_setToUCallBack, void,                                                                     \
    (IcuConverter *, IcuToCallback *, const void *, IcuToCallback **, const void **, IcuError *))  \
  F(ucnv_setFromUCallBack, void,                                                                   \
    (IcuConverter *, IcuFromCallback *, const void *, IcuFromCallback **, const void **,           \
     IcuError *))                                                                                  \
  F(UCNV_TO_U_CALLBACK_STOP, void, (const void *, void *, const char *, int32_t, int, IcuError *)) \
  F(UCNV_FROM_U_CALLBACK_STOP, void,                                                               \
    (const void *, void *, const char16_t *, int32_t, int32_t, int, IcuError *))                   \
  F(ucnv_toUnicode, void,                                                                          \
    (IcuConverter *, char16_t **to, const char16_t *toEnd, const char **from, const char *fromEnd, \
     int32_t *offsets, int8_t flush, IcuError *))                                                  \
  F(ucnv_fromUnicode, void,                                                                        \
    (IcuConverter *, char **to, const char *toEnd, const char16_t **from, const char16_t *fromEnd, \
     int32_t *offsets, int8_t flush, IcuError *))                                                  \
  F(ucnv_getInvalidUChars, void, (const IcuConverter *, char16_t *, int8_t *size, IcuError *))     \
  F(ucnv_countAvailable, int32_t, ())                                                              \
  F(ucnv_getAvailableName, const char *, (int32_t))                                                \
  F(ucnv_countAliases, uint16_t, (const char *name, IcuError *))                                   \
  F(ucnv_getAlias, const char *, (const char *name, uint16_t, IcuError *))                         \
  F(uregex_open, IcuRegex *,                                                                       \
    (const char16_t *pattern, int32_t size, uint32_t flags, void *parseError, IcuError *))         \
  F(uregex_close, void, (IcuRegex *))                                                              \
  F(uregex_setText, void, (IcuRegex *, const char16_t *text, int32_t size, IcuError *))            \
  F(uregex_setTimeLimit, void, (IcuRegex *, int32_t limit, IcuError *))                            \
  F(uregex_replaceAll, int32_t,                                                                    \
    (IcuRegex *, const char16_t *by, int32_t size, char16_t *to, int32_t room, IcuError *))        \
  F(uregex_replaceFirst, int32_t,                                                                  \
    (IcuRegex *, const char16_t *by, int32_t size, char16_t *to, int32_t room, IcuError *))        \
  F(uregex_find, int8_t, (IcuRegex *, int32_t start, IcuError *))                                  \
  F(uregex_groupCount, int32_t, (IcuRegex *, IcuError *))                                          \
  F(uregex_start, int32_t, (IcuRegex *, int32_t group, IcuError *))                                \
  F(uregex_end, int32_t, (IcuRegex *, int32_t group, IcuError *))                                  \
  F(unum_open, IcuNumberFormat *,                                                                  \
    (int style, const char16_t *pattern, int32_t size, const char *locale, void *parseError,       \
     IcuError *))                                                                                  \
  F(unum_close, void, (IcuNumberFormat *))                                                         \
  F(unum_setAttribute, void, (IcuNumberFormat *, int attribute, int32_t value))                    \
  F(unum_formatDouble, int32_t,                                                                    \
    (const IcuNumberFormat *, double, char16_t *to, int32_t room, void *position, IcuError *))     \
  F(unum_formatDecimal, int32_t,                                                                   \
    (const IcuNumberFormat *, const char *digits, int32_t size, char16_t *to, int32_t room,        \
     void *position, IcuError *))

struct Icu {
#define F(name, result, parameters) result(*name) parameters;
  SLUICE_ICU_FUNCTIONS(F)
#undef F
};

namespace icu_library {

/// Releases that are looked for, the newest first.
constexpr int kNewest = 90, kOldest = 60;

inline bool findAll(Icu &found, void *common, void *international, const std::string &suffix) {
  auto find = [&](const char *name) {
    std::string symbol = name + suffix;
    void *function = dlsym(common, symbol.c_str());
    return function ? function : dlsym(international, symbol.c_str());
  };
  bool whole = true;
#define F(name, result, parameters)                                                                \
  found.name = reinterpret_cast<decltype(found.name)>(find(#name));                                \
  whole &= found.name != nullptr;
  SLUICE_ICU_FUNCTIONS(F)
#undef F
  return whole;
}

inline const Icu *load() {
  static Icu found;
  for (int release = kNewest; release >= kOldest; --release) {
    std::string number = std::to_string(release);
    void *common = dlopen(("libicuuc.so." + number).c_str(), RTLD_NOW | RTLD_LOCAL);
    void *international =
        common ? dlopen(("libicui18n.so." + number).c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (international && findAll(found, common, international, "_" + number))
      return &found;
  }
  return nullptr;
}

} // namespace icu_library

/// Null if this system has no ICU.
inline const Icu *icu() {
  static const Icu *found = icu_library::load();
  return found;
}
constexpr const char *kNoIcu =
    "needs ICU, which this system does not have (install Debian's package libicu72, or libicu76)";

/// A converter of that name; null if ICU has none. ICU is there.
inline IcuConverter *icuConverter(const std::string &encoding) {
  // Without a name ICU takes that of the system; a path is one of a file.
  if (encoding.empty() || encoding[0] == ',' || encoding.find('/') != encoding.npos)
    return nullptr;
  IcuError error = 0;
  IcuConverter *converter = icu()->ucnv_open(encoding.c_str(), &error);
  if (error <= 0)
    return converter;
  icu()->ucnv_close(converter);
  return nullptr;
}

} // namespace sluice
