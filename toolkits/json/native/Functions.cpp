//===- Functions.cpp - the functions of com.ibm.streamsx.json -------------===//
#include "sluice/leftout.h"
#include "sluice/metrics.h"
#include "stdlib/native/Library.h"
#include "toolkits/json/native/Reader.h"
#include "toolkits/json/native/Writer.h"
#include "toolkits/json/operators/JSONToTuple/BadTexts.h"
#include <atomic>

using namespace sluice;
using namespace sluice::json;

/// The text as a value; what is in the object itself is copied.
static Str keep(Ctx *ctx, const TextOut &out) {
  return out.isLocal() ? keepText(ctx, out.data, out.size) : strView(out.data, out.size);
}

//===--- values to JSON -------------------------------------------------------===//

static int32_t write(Ctx *ctx, Type type, Str *result, const void *value, std::string_view prefix) {
  TextOut out(ctx->scratch);
  Writer(ctx, out, Times::Date, prefix).value(type, value);
  *result = keep(ctx, out);
  return 0;
}

static int32_t writeMember(Ctx *ctx, Type keyType, Type type, Str *result, const void *key,
                           const void *value, std::string_view prefix) {
  TextOut out(ctx->scratch);
  Writer writer(ctx, out, Times::Date, prefix);
  out.put('{');
  writer.value(keyType, key);
  out.put(':');
  writer.value(type, value);
  out.put('}');
  *result = keep(ctx, out);
  return 0;
}

SL(tupleToJSON, g)(Ctx *ctx, Type type, Str *result, const void *value) {
  return write(ctx, type, result, value, {});
}
SL(tupleToJSON, gr)(Ctx *ctx, Type type, Str *result, const void *value, const Str *prefix) {
  return write(ctx, type, result, value, viewOf(*prefix));
}

SL(mapToJSON, g)(Ctx *ctx, Type type, Str *result, const void *value) {
  return write(ctx, type, result, value, {});
}
SL(mapToJSON, gr)(Ctx *ctx, Type type, Str *result, const void *value, const Str *prefix) {
  return write(ctx, type, result, value, viewOf(*prefix));
}

SL(toJSON, gg)(Ctx *ctx, Type keyType, Type type, Str *result, const void *key, const void *value) {
  return writeMember(ctx, keyType, type, result, key, value, {});
}
SL(toJSON, ggr)(Ctx *ctx, Type keyType, Type type, Str *result, const void *key, const void *value,
                const Str *prefix) {
  return writeMember(ctx, keyType, type, result, key, value, viewOf(*prefix));
}

/// What TupleToJSON becomes.
SL(writeJSON, gr)(Ctx *ctx, Type type, Str *result, const void *value, const Str *prefix) {
  TextOut out(ctx->scratch);
  Writer(ctx, out, Times::Seconds, viewOf(*prefix)).value(type, value);
  *result = keep(ctx, out);
  return 0;
}

//===--- JSON to values -------------------------------------------------------===//

/// Shows the first text of the run that is bad, and that others are not shown.
static void showFirst(Ctx *ctx, const char *what, const Problem &problem, const Str *text) {
  static std::atomic<bool> isShown;
  if (!isShown.exchange(true, std::memory_order_relaxed)) // it guards nothing else
    sl_warn(ctx, sl_running(ctx), "%s; others are not shown: %s", what,
            problem.message(viewOf(*text)).c_str());
}

/// A text that is bad changes nothing.
SL(extractFromJSON, rg)(Ctx *ctx, Type type, void *result, const Str *text, void *place) {
  void *value = arenaAlloc(ctx->scratch, type->size, 16);
  memcpy(value, place, type->size);
  Problem problem;
  if (read(viewOf(*text), planFor(type, Reading::Match, {}), Reading::Match, *ctx->scratch, value,
           problem))
    sl_assign(ctx, type, place, value);
  else
    showFirst(ctx, "a text that is no JSON changes nothing", problem, text);
  memcpy(result, place, type->size);
  return 0;
}

/// What JSONToTuple becomes. The result is {whether the text is bad, the value}; `value` is what it
/// is before.
SL(readJSON, rgrh)(Ctx *ctx, Type resultType, Type type, void *result, const Str *text,
                   const void *value, const Str *prefix, uint8_t badTexts) {
  memset(result, 0, resultType->size);
  void *to = static_cast<char *>(result) + resultType->fields[1].offset;
  memcpy(to, value, type->size);
  Problem problem;
  const Plan &plan = planFor(type, Reading::Convert, viewOf(*prefix));
  if (read(viewOf(*text), plan, Reading::Convert, *ctx->scratch, to, problem))
    return 0;
  switch (BadTexts(badTexts)) {
  case BadTexts::Fail:
    return sl_error(ctx, "%s", problem.message(viewOf(*text)).c_str());
  case BadTexts::Submitted:
    break;
  case BadTexts::LeftOut:
    showFirst(ctx, "a text is left out", problem, text);
    sl_leaves_out(ctx, sl_running(ctx), LeftOut::Invalid, 1);
    break;
  }
  memset(result, 0, resultType->size);
  store(result, uint8_t(1));
  return 0;
}
