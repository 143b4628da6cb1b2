//===- Converter.cpp - text in other encodings, in pieces -----------------===//
#include "stdlib/native/unicode/Converter.h"
#include "value/Utf8.h"
#include <algorithm>
#include <cstdio>

namespace sluice {

constexpr size_t kUnits = 4096; // of UTF-16, converted at once

std::string encodingProblem(const std::string &encoding) {
  if (!icu())
    return "encoding `" + encoding + "` " + kNoIcu;
  StrictConverter found(icuConverter(encoding));
  return found ? "" : "there is no encoding `" + encoding + "`";
}

void IcuConverterEnd::operator()(IcuConverter *converter) const { icu()->ucnv_close(converter); }

static StrictConverter makeStrict(const std::string &encoding) {
  StrictConverter made(icuConverter(encoding));
  IcuError error = 0;
  icu()->ucnv_setToUCallBack(made.get(), icu()->UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                             &error);
  icu()->ucnv_setFromUCallBack(made.get(), icu()->UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr,
                               nullptr, &error);
  return made;
}

static bool isHigh(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
static uint32_t pairOf(char16_t high, char16_t low) {
  return 0x10000 + ((uint32_t(high) & 0x3ff) << 10) + (low & 0x3ff);
}

//===--- reading --------------------------------------------------------------===//

Decoder::Decoder(const std::string &encoding) : converter(makeStrict(encoding)) {}

void Decoder::begin() {
  icu()->ucnv_reset(converter.get());
  high = 0;
}

char *Decoder::put(char *to, const char16_t *from, const char16_t *end) {
  for (; from < end; ++from) {
    if (high) {
      to = putUtf8(to, pairOf(high, *from));
      high = 0;
    } else if (isHigh(*from)) {
      high = *from;
    } else {
      to = putUtf8(to, *from);
    }
  }
  return to;
}

size_t Decoder::take(std::string_view &from, bool isLast, char *to, size_t room) {
  char16_t units[kUnits];
  char *begin = to;
  const char *end = from.data() + from.size();
  // A unit becomes at most three bytes, and behind each call may stand kNoCharacter.
  for (size_t left = room; left >= kLeastRoom; left = room - size_t(to - begin)) {
    char16_t *put = units, *putEnd = units + std::min(kUnits, (left - 8) / 3);
    const char *at = from.data();
    IcuError error = 0;
    icu()->ucnv_toUnicode(converter.get(), &put, putEnd, &at, end, nullptr, isLast, &error);
    from.remove_prefix(size_t(at - from.data()));
    to = this->put(to, units, put);
    if (error > 0 && error != kIcuTooSmall)
      *to++ = kNoCharacter;
    else if (error <= 0)
      break;
  }
  return size_t(to - begin);
}

//===--- writing --------------------------------------------------------------===//

Encoder::Encoder(const std::string &encoding) : converter(makeStrict(encoding)), name(encoding) {}

void Encoder::begin(bool goesOn) {
  icu()->ucnv_reset(converter.get());
  TextOut before; // what only stands where a text begins
  if (goesOn)
    put("\n", before);
}

bool Encoder::put(std::string_view text, TextOut &to) {
  const char *p = text.data(), *end = p + text.size();
  while (p < end) {
    char16_t units[kUnits];
    size_t count = 0;
    unsigned length = 1;
    for (uint32_t code; p < end && count + 2 <= kUnits; p += length) {
      length = decodeUtf8(p, end, code);
      if (!length)
        break;
      if (code >= 0x10000) {
        units[count++] = char16_t(0xd7c0 + (code >> 10));
        units[count++] = char16_t(0xdc00 + (code & 0x3ff));
      } else {
        units[count++] = char16_t(code);
      }
    }
    if (!putUnits(units, units + count, false, to))
      return false;
    if (!length) {
      message = "the text is not UTF-8, so it cannot be written in encoding `" + name + "`";
      return false;
    }
  }
  return true;
}

void Encoder::end(TextOut &to) {
  char16_t none = 0;
  putUnits(&none, &none, true, to);
}

bool Encoder::putUnits(const char16_t *from, const char16_t *end, bool isLast, TextOut &to) {
  for (;;) {
    constexpr size_t kRoom = 4 * kUnits;
    char *put = to.reserve(kRoom), *begin = put;
    IcuError error = 0;
    icu()->ucnv_fromUnicode(converter.get(), &put, put + kRoom, &from, end, nullptr, isLast,
                            &error);
    to.size += size_t(put - begin);
    if (error == kIcuTooSmall)
      continue;
    if (error > 0)
      message = refused();
    return error <= 0;
  }
}

/// The character that the converter has stopped at.
std::string Encoder::refused() const {
  char16_t units[2] = {};
  int8_t count = 2;
  IcuError error = 0;
  icu()->ucnv_getInvalidUChars(converter.get(), units, &count, &error);
  uint32_t code = count == 2 ? pairOf(units[0], units[1]) : units[0];
  char number[16], text[5] = {};
  snprintf(number, sizeof number, "U+%04X", unsigned(code));
  putUtf8(text, code);
  return "encoding `" + name + "` has no character " + number + " (" + text + ")";
}

} // namespace sluice
