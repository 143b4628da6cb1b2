//===- Characters.cpp - classes and names of characters, by ICU -----------===//
#include "stdlib/native/regex/Characters.h"
#include <algorithm>
#include <vector>

using namespace sluice;
using namespace sluice::perl;

namespace {

using Set = uint64_t;

/// Unicode's general categories, by ICU's numbers (UCharCategory).
enum Category { Cn, Lu, Ll, Lt, Lm, Lo, Mn, Me, Mc, Nd, Nl, No, Zs, Zl, Zp };
enum { Cc = Zp + 1, Cf, Co, Cs, Pd, Ps, Pe, Pc, Po, Sm, Sc, Sk, So, Pi, Pf };
/// What no category says, as further bits.
enum { Blank = Pf + 1, Space, HexDigit, Underscore, Unicode, Any, Ascii, Horizontal, Vertical };

constexpr Set of(std::initializer_list<int> members) {
  Set set = 0;
  for (int member : members)
    set |= Set(1) << member;
  return set;
}
constexpr Set kLetters = of({Lu, Ll, Lt, Lm, Lo}), kMarks = of({Mn, Me, Mc}),
              kNumbers = of({Nd, Nl, No}), kSeparators = of({Zs, Zl, Zp}),
              kOther = of({Cn, Cc, Cf, Co, Cs}), kPunctuation = of({Pd, Ps, Pe, Pc, Po, Pi, Pf}),
              kSymbols = of({Sm, Sc, Sk, So}), kAll = of({Blank}) - 1;

struct Named {
  std::string_view name;
  Set set;
};
constexpr Set kWord = kLetters | of({Nd, Mn, Underscore}), kSpace = kSeparators | of({Space});
/// POSIX classes and their short forms in Perl. (Blanks and line ends count as what can be printed,
/// as in Boost.)
constexpr Named kClasses[] = {
    {"alnum", kLetters | of({Nd})},
    {"alpha", kLetters},
    {"blank", of({Blank})},
    {"cntrl", of({Cc, Cf, Zl, Zp})},
    {"d", of({Nd})},
    {"digit", of({Nd})},
    {"graph", kAll & ~(of({Cc, Cf, Cs, Cn}) | kSeparators)},
    {"h", of({Horizontal})},
    {"l", of({Ll})},
    {"lower", of({Ll})},
    {"print", (kAll & ~kOther) | of({Blank, Space})},
    {"punct", kPunctuation},
    {"s", kSpace},
    {"space", kSpace},
    {"u", of({Lu})},
    {"unicode", of({Unicode})},
    {"upper", of({Lu})},
    {"v", of({Vertical})},
    {"w", kWord},
    {"word", kWord},
    {"xdigit", of({Nd, HexDigit})},
};
/// Unicode's names, without what sets words apart.
constexpr Named kProperties[] = {
    {"any", of({Any})},
    {"ascii", of({Ascii})},
    {"assigned", kAll & ~of({Cn})},
    {"c*", kOther},
    {"other", kOther},
    {"cc", of({Cc})},
    {"control", of({Cc})},
    {"cf", of({Cf})},
    {"format", of({Cf})},
    {"cn", of({Cn})},
    {"notassigned", of({Cn})},
    {"co", of({Co})},
    {"privateuse", of({Co})},
    {"cs", of({Cs})},
    {"surrogate", of({Cs})},
    {"l*", kLetters},
    {"letter", kLetters},
    {"ll", of({Ll})},
    {"lowercaseletter", of({Ll})},
    {"lm", of({Lm})},
    {"modifierletter", of({Lm})},
    {"lo", of({Lo})},
    {"otherletter", of({Lo})},
    {"lt", of({Lt})},
    {"titlecase", of({Lt})},
    {"titlecaseletter", of({Lt})},
    {"lu", of({Lu})},
    {"uppercaseletter", of({Lu})},
    {"m*", kMarks},
    {"mark", kMarks},
    {"mc", of({Mc})},
    {"spacingcombiningmark", of({Mc})},
    {"me", of({Me})},
    {"enclosingmark", of({Me})},
    {"mn", of({Mn})},
    {"nonspacingmark", of({Mn})},
    {"n*", kNumbers},
    {"number", kNumbers},
    {"nd", of({Nd})},
    {"decimaldigitnumber", of({Nd})},
    {"nl", of({Nl})},
    {"letternumber", of({Nl})},
    {"no", of({No})},
    {"othernumber", of({No})},
    {"p*", kPunctuation},
    {"punctuation", kPunctuation},
    {"pc", of({Pc})},
    {"connectorpunctuation", of({Pc})},
    {"pd", of({Pd})},
    {"dashpunctuation", of({Pd})},
    {"pe", of({Pe})},
    {"closepunctuation", of({Pe})},
    {"pf", of({Pf})},
    {"finalpunctuation", of({Pf})},
    {"pi", of({Pi})},
    {"initialpunctuation", of({Pi})},
    {"po", of({Po})},
    {"otherpunctuation", of({Po})},
    {"ps", of({Ps})},
    {"openpunctuation", of({Ps})},
    {"s*", kSymbols},
    {"symbol", kSymbols},
    {"sc", of({Sc})},
    {"currencysymbol", of({Sc})},
    {"sk", of({Sk})},
    {"modifiersymbol", of({Sk})},
    {"sm", of({Sm})},
    {"mathsymbol", of({Sm})},
    {"so", of({So})},
    {"othersymbol", of({So})},
    {"z*", kSeparators},
    {"separator", kSeparators},
    {"zl", of({Zl})},
    {"lineseparator", of({Zl})},
    {"zp", of({Zp})},
    {"paragraphseparator", of({Zp})},
    {"zs", of({Zs})},
    {"spaceseparator", of({Zs})},
};

Set setNamed(std::string_view name) {
  for (const Named &known : kClasses)
    if (known.name == name)
      return known.set;
  for (const Named &known : kProperties)
    if (known.name == name)
      return known.set;
  return 0;
}

bool isLineEnd(int32_t c) {
  return c == '\n' || c == '\f' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}
bool isSpace(int32_t c) { return icu()->u_isspace(c); }

/// Whether the characters are all ASCII; then their text.
bool asciiOf(std::string &text, const int32_t *from, const int32_t *to) {
  if (std::any_of(from, to, [](int32_t c) { return c < 0 || c > 0x7f; }))
    return false;
  text.assign(from, to);
  return true;
}

/// A collator of the locale that the environment names.
struct Collator {
  IcuCollator *collator;
  explicit Collator(int strength) {
    IcuError error = 0;
    collator = icu()->ucol_open(nullptr, &error);
    if (error > 0)
      throw std::runtime_error("ICU has no order of characters");
    icu()->ucol_setStrength(collator, strength);
  }
  ~Collator() { icu()->ucol_close(collator); }

  Characters::string_type keyOf(const int32_t *from, const int32_t *to) const {
    std::u16string units;
    for (; from < to; ++from) {
      uint32_t code = uint32_t(*from);
      if (code >= 0x10000)
        units += char16_t(0xd7c0 + (code >> 10));
      units += char16_t(code >= 0x10000 ? 0xdc00 + (code & 0x3ff) : code);
    }
    auto keyIn = [&](uint8_t *room, int32_t size) {
      return icu()->ucol_getSortKey(collator, units.data(), int32_t(units.size()), room, size);
    };
    std::vector<uint8_t> key(size_t(keyIn(nullptr, 0)));
    keyIn(key.data(), int32_t(key.size()));
    if (key.size() > 1 && key.back() == 0)
      key.pop_back();
    return {key.begin(), key.end()};
  }
};
constexpr int kPrimary = 0, kIdentical = 15; // UCollationStrength

} // namespace

Characters::string_type Characters::transform(const char_type *from, const char_type *to) {
  thread_local Collator collator(kIdentical);
  return collator.keyOf(from, to);
}
Characters::string_type Characters::transform_primary(const char_type *from, const char_type *to) {
  thread_local Collator collator(kPrimary);
  return collator.keyOf(from, to);
}

uint64_t Characters::lookup_classname(const char_type *from, const char_type *to) {
  std::string name;
  if (!asciiOf(name, from, to))
    return 0;
  if (Set set = setNamed(name))
    return set;
  std::erase_if(name, [](char c) { return isSpace(c) || c == '-' || c == '_'; });
  for (char &c : name)
    c = char(icu()->u_tolower(c));
  return setNamed(name);
}

Characters::string_type Characters::lookup_collatename(const char_type *from, const char_type *to) {
  std::string name;
  if (asciiOf(name, from, to)) {
    constexpr int kUnicodeName = 0, kExtendedName = 2; // UCharNameChoice
    for (int choice : {kUnicodeName, kExtendedName}) {
      IcuError error = 0;
      int32_t c = icu()->u_charFromName(choice, name.c_str(), &error);
      if (error <= 0)
        return string_type(1, c);
    }
    std::string known = named(name);
    if (!known.empty())
      return {known.begin(), known.end()};
  }
  return to - from == 1 ? string_type(1, *from) : string_type();
}

bool Characters::isctype(char_type c, char_class_type set) {
  auto has = [&](int member) { return set & of({member}); };
  if (has(icu()->u_charType(c)))
    return true;
  if (!(set & ~kAll)) // categories only
    return false;
  return (has(Blank) && icu()->u_isblank(c)) || (has(Space) && isSpace(c)) ||
         (has(HexDigit) && icu()->u_digit(c, 16) >= 0) || (has(Unicode) && c >= 0x100) ||
         (has(Underscore) && c == '_') || (has(Any) && c <= 0x10ffff) ||
         (has(Ascii) && c <= 0x7f) || (has(Vertical) && (isLineEnd(c) || c == '\v')) ||
         (has(Horizontal) && !isLineEnd(c) && isSpace(c) && c != '\v');
}

intmax_t Characters::toi(const char_type *&from, const char_type *to, int radix) {
  intmax_t number = -1;
  for (int digit; from < to && (digit = value(*from, radix)) >= 0; ++from) {
    number = number < 0 ? 0 : number;
    if (number > (INTMAX_MAX - digit) / radix)
      return -1;
    number = number * radix + digit;
  }
  return number;
}
