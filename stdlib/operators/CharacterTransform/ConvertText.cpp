//===- ConvertText.cpp - Convert() of spl.utility::CharacterTransform -----===//
#include "stdlib/native/Library.h"
#include "stdlib/native/unicode/Converter.h"
#include <algorithm>
#include <functional>
#include <map>

using namespace sluice;

/// A thread's converters by name, as to make one takes longer than to convert a short text. Null
/// after sl_error.
template <typename Converter> static Converter *converterOf(Ctx *ctx, const Str *name) {
  constexpr size_t kMost = 16;
  thread_local std::map<std::string, Converter, std::less<>> made;
  if (auto found = made.find(viewOf(*name)); found != made.end())
    return &found->second;
  std::string encoding(viewOf(*name));
  if (std::string why = encodingProblem(encoding); !why.empty()) {
    sl_error(ctx, "%s", why.c_str());
    return nullptr;
  }
  if (made.size() == kMost)
    made.clear();
  return &made.emplace(encoding, Converter(encoding)).first->second;
}

/// Appends the text as UTF-8; false: some of it is no character.
static bool decode(Decoder &decoder, std::string_view text, TextOut &to) {
  for (size_t size = 1; size;) {
    size_t room = std::max(2 * text.size(), Decoder::kLeastRoom);
    char *begin = to.reserve(room);
    size = decoder.take(text, /*isLast=*/true, begin, room);
    if (std::find(begin, begin + size, Decoder::kNoCharacter) != begin + size)
      return false;
    to.size += size;
  }
  return true;
}

SL(convertText, rrB)(Ctx *ctx, Str *result, const Str *from, const Str *to, const Str *text) {
  auto *decoder = converterOf<Decoder>(ctx, from);
  auto *encoder = decoder ? converterOf<Encoder>(ctx, to) : nullptr;
  if (!encoder)
    return 1;
  TextOut plain, made;
  decoder->begin();
  if (!decode(*decoder, viewOf(*text), plain))
    return sl_error(ctx, "the value is no text in encoding `%s`",
                    std::string(viewOf(*from)).c_str());
  encoder->begin(/*goesOn=*/false);
  if (!encoder->put(plain.view(), made))
    return sl_error(ctx, "%s", encoder->problem().c_str());
  encoder->end(made);
  if (made.size > UINT32_MAX)
    return sl_error(ctx, "the text becomes longer than 4 GiB");
  *result = keepText(ctx, made.data, made.size);
  return 0;
}
