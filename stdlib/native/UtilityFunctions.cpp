//===- UtilityFunctions.cpp - spl.utility -----------------------*- C++ -*-===//
#include "sluice/native.h"
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace sluice;

//===--- printing -----------------------------------------------------------===//

/// Reused, so that printing does not allocate.
static TextOut &line() {
  thread_local TextOut out;
  out.clear();
  return out;
}
static int32_t show(Ctx *ctx, const TextOut &out) { return sl_out(ctx, out.data, out.size); }
SL(print, g)(Ctx *ctx, Type type, const void *v) {
  TextOut &out = line();
  printValue(out, type, v, true);
  return show(ctx, out);
}
SL(println, g)(Ctx *ctx, Type type, const void *v) {
  TextOut &out = line();
  printValue(out, type, v, true);
  out.put('\n');
  return show(ctx, out);
}
SL(printString, r)(Ctx *ctx, const Str *s) { return sl_out(ctx, s->data(), s->len); }
SL(printStringLn, r)(Ctx *ctx, const Str *s) {
  TextOut &out = line();
  out.put(viewOf(*s));
  out.put('\n');
  return show(ctx, out);
}
SL(printString, u)(Ctx *ctx, const Str *s) { return sl_printString_r(ctx, s); }
SL(printStringLn, u)(Ctx *ctx, const Str *s) { return sl_printStringLn_r(ctx, s); }
extern "C" int32_t sl_flushStdio_(Ctx *ctx) {
  sl_out_flush(ctx);
  return 0;
}

//===--- reports: the compiler appends file and line ------------------------===//

/// The beginning of a message.
static TextOut &place(const Str *file, uint32_t number) {
  TextOut &out = line();
  out.put(viewOf(*file));
  out.put(':');
  printInteger(out, uint64_t(number));
  out.put(": ");
  return out;
}
static void tell(Ctx *ctx, TextOut &out) {
  out.put('\n');
  sl_message(ctx, out.data, out.size);
}
static void report(Ctx *ctx, uint32_t level, const Str *message, const Str *aspect, const Str *file,
                   uint32_t line) {
  static constexpr const char *names[] = {"error", "warn", "info", "debug", "trace"};
  if (level >= 5 || int32_t(level) + 1 > sl_trace_level(ctx))
    return;
  TextOut &out = place(file, line);
  out.put(names[level]);
  out.put(": ");
  if (aspect) {
    out.put('[');
    out.put(viewOf(*aspect));
    out.put("] ");
  }
  out.put(viewOf(*message));
  tell(ctx, out);
}
SL(appTrc, Ur)(Ctx *ctx, uint32_t level, const Str *message, const Str *file, uint32_t line) {
  report(ctx, level, message, nullptr, file, line);
  return 0;
}
SL(appTrc, Urr)(Ctx *ctx, uint32_t level, const Str *message, const Str *aspect, const Str *file,
                uint32_t line) {
  report(ctx, level, message, aspect, file, line);
  return 0;
}
SL(appLog, Ur)(Ctx *ctx, uint32_t level, const Str *message, const Str *file, uint32_t line) {
  report(ctx, level, message, nullptr, file, line);
  return 0;
}
SL(appLog, Urr)(Ctx *ctx, uint32_t level, const Str *message, const Str *aspect, const Str *file,
                uint32_t line) {
  report(ctx, level, message, aspect, file, line);
  return 0;
}
/// Sys.LogLevel has no `warn`.
static uint32_t levelOfLog(uint32_t level) { return level ? level + 1 : 0; }
SL(log, Ur)(Ctx *ctx, uint32_t level, const Str *message, const Str *file, uint32_t line) {
  report(ctx, levelOfLog(level), message, nullptr, file, line);
  return 0;
}
SL(log, Urr)(Ctx *ctx, uint32_t level, const Str *message, const Str *aspect, const Str *file,
             uint32_t line) {
  report(ctx, levelOfLog(level), message, aspect, file, line);
  return 0;
}
SL(isTraceable, U)(Ctx *ctx, uint8_t *result, uint32_t level) {
  *result = int32_t(level) + 1 <= sl_trace_level(ctx);
  return 0;
}
SL(isLoggable, U)(Ctx *ctx, uint8_t *result, uint32_t level) {
  return sl_isTraceable_U(ctx, result, level);
}

SL(assert, br)(Ctx *ctx, uint8_t condition, const Str *message, const Str *file, uint32_t line) {
  if (condition)
    return 0;
  return sl_error(ctx, "assertion failed at %.*s:%u%s%.*s", int(file->len), file->data(), line,
                  message->len ? ": " : "", int(message->len), message->data());
}
SL(assert, b)(Ctx *ctx, uint8_t condition, const Str *file, uint32_t line) {
  Str none = {};
  return sl_assert_br(ctx, condition, &none, file, line);
}
SL(assert, Lbr)(Ctx *ctx, const Seq *list, const Str *message, const Str *file, uint32_t line) {
  auto *conditions = listData<uint8_t>(*list);
  uint8_t all = 1;
  for (uint32_t i = 0; i < list->len; ++i)
    all &= conditions[i];
  return sl_assert_br(ctx, all, message, file, line);
}
SL(assert, Lb)(Ctx *ctx, const Seq *list, const Str *file, uint32_t line) {
  Str none = {};
  return sl_assert_Lbr(ctx, list, &none, file, line);
}
SL(assert, Mgbr)(Ctx *ctx, Type key, const Seq *map, const Str *message, const Str *file,
                 uint32_t line) {
  static const TypeDesc value = {.kind = Kind::Boolean, .size = 1, .align = 1};
  TypeDesc type = mapOf(key, &value);
  uint8_t all = 1;
  for (uint32_t i = 0; i < map->len; ++i)
    all &= load<uint8_t>(elementAt(&type, map, i) + type.valueOffset);
  return sl_assert_br(ctx, all, message, file, line);
}
SL(assert, Mgb)(Ctx *ctx, Type key, const Seq *map, const Str *file, uint32_t line) {
  Str none = {};
  return sl_assert_Mgbr(ctx, key, map, &none, file, line);
}
/// Ends the process at once: nothing is drained or written, but for what was
/// printed.
extern "C" int32_t sl_abort_(Ctx *ctx) { return sl_end_at_once(ctx, "abort() was called"); }

//===--- the program and its surroundings -----------------------------------===//

static int32_t text(Ctx *ctx, Str *result, const char *s) {
  *result = keepText(ctx, s, strlen(s));
  return 0;
}
extern "C" int32_t sl_dataDirectory_(Ctx *ctx, Str *result) {
  return text(ctx, result, sl_data_dir(ctx));
}
extern "C" int32_t sl_getApplicationDir_(Ctx *ctx, Str *result) {
  return text(ctx, result, sl_app_dir(ctx));
}
extern "C" int32_t sl_getThisToolkitDir_(Ctx *ctx, Str *result) {
  return text(ctx, result, sl_app_dir(ctx));
}
SL(getEnvironmentVariable, rr)(Ctx *ctx, Str *result, const Str *name, const Str *otherwise) {
  const char *value = getenv(std::string(viewOf(*name)).c_str());
  if (value)
    return text(ctx, result, value);
  *result = *otherwise;
  return 0;
}
SL(getEnvironmentVariable, r)(Ctx *ctx, Str *result, const Str *name) {
  Str none = {};
  return sl_getEnvironmentVariable_rr(ctx, result, name, &none);
}
SL(getEnvironmentVariable, rb)(Ctx *ctx, Str *result, const Str *name, uint8_t *isSet) {
  *isSet = getenv(std::string(viewOf(*name)).c_str()) != nullptr;
  return sl_getEnvironmentVariable_r(ctx, result, name);
}
extern "C" int32_t sl_getHostName_(Ctx *ctx, Str *result) {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return text(ctx, result, name);
}
extern "C" int32_t sl_isShutdown_(Ctx *ctx, uint8_t *result) {
  *result = sl_is_shutdown(ctx) != 0;
  return 0;
}
extern "C" int32_t sl_shutdownPE_(Ctx *ctx) {
  sl_request_shutdown(ctx);
  return 0;
}
SL(block, d)(Ctx *ctx, double seconds) {
  sl_wait(ctx, seconds);
  return 0;
}

//===--- channels: getChannel and getMaxChannels are code (codegen/convert/Calls.cpp) ---===//

extern "C" int32_t sl_getLocalChannel_(Ctx *ctx, int32_t *result) {
  *result = ctx->channel < 0 ? -1 : int32_t(ctx->replica->index);
  return 0;
}
extern "C" int32_t sl_getLocalMaxChannels_(Ctx *ctx, int32_t *result) {
  *result = ctx->channel < 0 ? 0 : int32_t(ctx->replica->width);
  return 0;
}
/// A number of each region around the operator, innermost first.
static Seq ofRegions(Ctx *ctx, int32_t Replica::*number) {
  uint32_t count = 0;
  for (const Replica *r = ctx->replica; r->outer; r = r->outer)
    ++count;
  Seq list = scratchList(ctx, count, 4);
  auto *data = listData<int32_t>(list);
  for (const Replica *r = ctx->replica; r->outer; r = r->outer)
    *data++ = r->*number;
  return list;
}
extern "C" int32_t sl_getAllChannels_(Ctx *ctx, Seq *result) {
  if (ctx->channel >= 0) {
    *result = ofRegions(ctx, &Replica::channel);
    return 0;
  }
  *result = scratchList(ctx, 1, 4);
  *listData<int32_t>(*result) = -1;
  return 0;
}
extern "C" int32_t sl_getAllMaxChannels_(Ctx *ctx, Seq *result) {
  *result = {};
  if (ctx->channel >= 0)
    *result = ofRegions(ctx, &Replica::maxChannels);
  return 0;
}

/// In parallel regions: the name with the channels of this replica.
SL(getThisOperatorName, r)(Ctx *ctx, Str *result, const Str *name) {
  std::string text(viewOf(*name));
  for (const Replica *r = ctx->replica; r->outer; r = r->outer)
    text.insert(r->pathLength, "[" + std::to_string(r->channel) + "]");
  *result = keepText(ctx, text.data(), text.size());
  return 0;
}

//===--- values -------------------------------------------------------------===//

SL(hashCodeForEach, Lg)(Ctx *ctx, Type elem, Seq *result, const Seq *list) {
  TypeDesc type = listOf(elem);
  *result = scratchList(ctx, list->len, 8);
  for (uint32_t i = 0; i < list->len; ++i)
    listData<uint64_t>(*result)[i] = hashValue(elem, elementAt(&type, list, i));
  return 0;
}
/// Both are places of one instance: their bytes change places.
SL(swap, gg)(Ctx *, Type type, void *a, void *b) {
  auto *x = static_cast<char *>(a), *y = static_cast<char *>(b);
  for (uint32_t i = 0; i < type->size; ++i) {
    char byte = x[i];
    x[i] = y[i];
    y[i] = byte;
  }
  return 0;
}

SL(isDefaultValue, X)(Ctx *, uint8_t *result, const Str *document) {
  *result = document->len == 0;
  return 0;
}

static bool sameType(Type a, Type b) {
  if (a == b)
    return true;
  if (a->kind != b->kind || a->count != b->count || a->size != b->size || a->bound != b->bound)
    return false;
  switch (a->kind) {
  case Kind::Map:
    return sameType(a->elem, b->elem) && sameType(a->value, b->value);
  case Kind::List:
  case Kind::Set:
    return sameType(a->elem, b->elem);
  case Kind::Optional:
    return sameType(a->fields[1].type, b->fields[1].type);
  case Kind::Tuple:
    for (uint32_t i = 0; i < a->count; ++i)
      if (strcmp(a->fields[i].name, b->fields[i].name) ||
          !sameType(a->fields[i].type, b->fields[i].type))
        return false;
    return true;
  case Kind::Enum:
    for (uint32_t i = 0; i < a->count; ++i)
      if (strcmp(a->names[i], b->names[i]))
        return false;
    return true;
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Float32:
  case Kind::Float64:
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Timestamp:
  case Kind::RString:
  case Kind::UString:
  case Kind::Blob:
  case Kind::Xml:
    return true;
  }
  __builtin_unreachable();
}
/// Assigns the attributes that both have, with the same type.
SL(assignFrom, gg)(Ctx *ctx, Type to, Type from, void *place, const void *src) {
  for (uint32_t i = 0; i < to->count; ++i)
    for (uint32_t k = 0; k < from->count; ++k) {
      const Field &t = to->fields[i], &f = from->fields[k];
      if (!strcmp(t.name, f.name) && sameType(t.type, f.type))
        sl_assign(ctx, t.type, static_cast<char *>(place) + t.offset,
                  static_cast<const char *>(src) + f.offset);
    }
  return 0;
}
