//===- NumberText.cpp - numbers in a language -----------------------------===//
#include "stdlib/native/messages/NumberText.h"
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/unicode/Icu.h"
#include "stdlib/native/unicode/Utf16.h"
#include <memory>

using namespace sluice;
using namespace sluice::messages;

namespace {
struct Close {
  void operator()(IcuNumberFormat *format) const { icu()->unum_close(format); }
};
using Format = std::unique_ptr<IcuNumberFormat, Close>;

// UNumberFormatStyle and UNumberFormatAttribute.
enum Style { kPattern = 0, kDecimal = 1, kCurrency = 2, kPercent = 3 };
constexpr int kMostFractionDigits = 6;
} // namespace

/// Null: ICU refuses it.
static Format open(std::string_view style, const std::string &locale, IcuError &error) {
  Style kind = style.empty() || style == "integer" ? kDecimal
               : style == "currency"               ? kCurrency
               : style == "percent"                ? kPercent
                                                   : kPattern;
  std::u16string pattern = kind == kPattern ? unitsOf(style) : u"";
  Format made(icu()->unum_open(kind, pattern.data(), int32_t(pattern.size()), locale.c_str(),
                               nullptr, &error));
  if (error > 0)
    return nullptr;
  if (style == "integer")
    icu()->unum_setAttribute(made.get(), kMostFractionDigits, 0);
  return made;
}

static IcuNumberFormat *formatOf(std::string_view style, const std::string &locale,
                                 IcuError &error) {
  thread_local LastUsed<Format> formats;
  std::string key = locale + " " + std::string(style);
  if (Format *known = formats.find(key))
    return known->get();
  Format made = open(style, locale, error);
  return made ? formats.add(key, std::move(made))->get() : nullptr;
}

static int32_t write(const IcuNumberFormat *format, const Argument &number, char16_t *to,
                     int32_t room, IcuError &error) {
  if (const double *value = std::get_if<double>(&number))
    return icu()->unum_formatDouble(format, *value, to, room, nullptr, &error);
  const int64_t *value = std::get_if<int64_t>(&number);
  std::string digits = value ? std::to_string(*value) : std::to_string(std::get<uint64_t>(number));
  return icu()->unum_formatDecimal(format, digits.data(), int32_t(digits.size()), to, room, nullptr,
                                   &error);
}

std::string messages::putNumber(std::string &to, const Argument &number, std::string_view style,
                                const std::string &locale) {
  if (!icu())
    return std::string("a number in it ") + kNoIcu;
  IcuError error = 0;
  IcuNumberFormat *format = formatOf(style, locale, error);
  if (!format)
    return "`" + std::string(style) + "` is no format of numbers: " + icu()->u_errorName(error);
  std::u16string units(40, u'\0');
  int32_t size = write(format, number, units.data(), int32_t(units.size()), error);
  if (error == kIcuTooSmall) {
    error = 0;
    units.resize(size_t(size));
    size = write(format, number, units.data(), size, error);
  }
  if (error > 0)
    return std::string("a number cannot be written: ") + icu()->u_errorName(error);
  size_t before = to.size();
  to.resize(before + kBytesOfUnit * size_t(size));
  char *end = putUnits(to.data() + before, std::u16string_view(units).substr(0, size_t(size)));
  to.resize(size_t(end - to.data()));
  return "";
}
