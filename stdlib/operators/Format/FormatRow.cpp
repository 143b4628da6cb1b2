//===- FormatRow.cpp - what Output() of spl.utility::Format is ------------===//
#include "runtime/base/os.h"
#include "stdlib/native/Library.h"
#include "stdlib/native/csv/RowWriter.h"

using namespace sluice;

/// A blob in scratch.
static Str keepBlob(Ctx *ctx, const TextOut &text) { return keepText(ctx, text.data, text.size); }

static RowStyle styleOf(const Str *format, const Str *floatText) {
  RowStyle style;
  style.format = formatOf(viewOf(*format));
  style.floats = floatTextOf(viewOf(*floatText)).value_or(FloatText::Default);
  return style;
}

/// `delay`: the ns that stand before it; below 0: none.
static const double *secondsOf(int64_t delay, double &seconds) {
  seconds = double(delay) / double(os::kNanos);
  return delay < 0 ? nullptr : &seconds;
}

SL(formatRow, grrbbbrrl)(Ctx *ctx, Type type, Str *result, const void *tuple, const Str *format,
                         const Str *separator, uint8_t quoteStrings, uint8_t rfc4180, uint8_t marks,
                         const Str *eol, const Str *floatText, int64_t delay) {
  RowStyle style = styleOf(format, floatText);
  style.csv = {separator->len ? *separator->data() : ',', quoteStrings != 0, rfc4180 != 0};
  style.eol = viewOf(*eol);
  style.marks = marks != 0;
  TextOut text(ctx->scratch), scratch(ctx->scratch);
  double seconds;
  writeRow(text, style, secondsOf(delay, seconds), *type, scratch, tuple);
  *result = keepBlob(ctx, text);
  return 0;
}

SL(formatMark, rbrl)(Ctx *ctx, Str *result, const Str *format, uint8_t isFinal,
                     const Str *floatText, int64_t delay) {
  TextOut text(ctx->scratch);
  double seconds;
  writeMark(text, styleOf(format, floatText), secondsOf(delay, seconds),
            isFinal ? PunctuationKind::Final : PunctuationKind::Window);
  *result = keepBlob(ctx, text);
  return 0;
}
