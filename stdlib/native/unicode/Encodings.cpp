//===- Encodings.cpp - blobs, and text in other encodings -----------------===//
#include "stdlib/native/Library.h"
#include "stdlib/native/unicode/Icu.h"
#include "value/Text.h"
#include <string>

using namespace sluice;

//===--- blobs --------------------------------------------------------------===//

SL(size, B)(Ctx *, int32_t *result, const Str *bytes) {
  *result = int32_t(bytes->len);
  return 0;
}
SL(blobSize, B)(Ctx *, uint64_t *result, const Str *bytes) {
  *result = bytes->len;
  return 0;
}
static int32_t append(Ctx *ctx, Str *place, const Str &bytes) {
  if (uint64_t(place->len) + bytes.len > UINT32_MAX)
    return sl_error(ctx, "appendM: a blob has at most 4294967295 bytes");
  sl_str_append(ctx, place, &bytes);
  return 0;
}
SL(appendM, Bh)(Ctx *ctx, Str *place, uint8_t byte) {
  char c = char(byte);
  return append(ctx, place, strView(&c, 1));
}
SL(appendM, BLh)(Ctx *ctx, Str *place, const Seq *bytes) {
  return append(ctx, place, strView(static_cast<const char *>(bytes->data), bytes->len));
}
SL(clearM, B)(Ctx *ctx, Str *place) {
  strResize(ctx->heap, place, 0, 0);
  return 0;
}
SL(convertToBlob, r)(Ctx *, Str *result, const Str *s) {
  *result = *s;
  return 0;
}
SL(convertFromBlob, B)(Ctx *, Str *result, const Str *bytes) {
  *result = strView(bytes->data(), bytes->len); // the prefix of a blob is not defined
  return 0;
}

//===--- encodings ----------------------------------------------------------===//

/// `text` in the encoding `to`, which was in the encoding `from`. Characters that `to` lacks become
/// its substitute.
static int32_t convert(Ctx *ctx, const Str *to, const Str *from, std::string_view text,
                       std::string_view &result) {
  if (!icu())
    return sl_error(ctx, "conversion between encodings %s", kNoIcu);
  if (text.size() > INT32_MAX)
    return sl_error(ctx, "conversion between encodings: the text is longer than 2 GiB");
  std::string toName(viewOf(*to)), fromName(viewOf(*from));
  char *bytes = nullptr;
  int32_t room = 0, size = 0;
  IcuError error = kIcuTooSmall;
  for (int i = 0; i < 2 && error == kIcuTooSmall; ++i, room = size) {
    bytes = scratchText(ctx, uint64_t(room));
    error = 0;
    size = icu()->ucnv_convert(toName.c_str(), fromName.c_str(), bytes, room, text.data(),
                               int32_t(text.size()), &error);
  }
  if (error > 0)
    return sl_error(ctx, "cannot convert text from %s to %s: %s", fromName.c_str(), toName.c_str(),
                    icu()->u_errorName(error));
  result = {bytes, size_t(size)};
  return 0;
}

static const Str kUtf8 = strView("UTF-8", 5);

static int32_t toUtf8(Ctx *ctx, Str *result, std::string_view bytes, const Str *encoding) {
  std::string_view text;
  if (convert(ctx, &kUtf8, encoding, bytes, text))
    return 1;
  *result = strView(text.data(), text.size());
  return 0;
}
SL(convertToUtf8, Lhr)(Ctx *ctx, Str *result, const Seq *bytes, const Str *encoding) {
  return toUtf8(ctx, result, {static_cast<const char *>(bytes->data), bytes->len}, encoding);
}
SL(convertToUtf8, rr)(Ctx *ctx, Str *result, const Str *bytes, const Str *encoding) {
  return toUtf8(ctx, result, viewOf(*bytes), encoding);
}
SL(convertFromUtf8, rr)(Ctx *ctx, Seq *result, const Str *text, const Str *encoding) {
  std::string_view bytes;
  if (convert(ctx, encoding, &kUtf8, viewOf(*text), bytes))
    return 1;
  *result = {uint32_t(bytes.size()), 0, const_cast<char *>(bytes.data())};
  return 0;
}
SL(convertFromUtf8ToString, rr)(Ctx *ctx, Str *result, const Str *text, const Str *encoding) {
  std::string_view bytes;
  if (convert(ctx, encoding, &kUtf8, viewOf(*text), bytes))
    return 1;
  *result = strView(bytes.data(), bytes.size());
  return 0;
}
