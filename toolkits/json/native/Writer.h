//===- Writer.h - values to JSON --------------------------------*- C++ -*-===//
#pragma once
#include "value/Text.h"

namespace sluice::json {

/// How timestamps are written.
enum class Times : uint8_t {
  Date,    // "Thu Jan  1 00:00:00 1970", as the functions do
  Seconds, // a number with nine digits behind the point, or none, as the operator does
};

/// Writes values without blanks. Bytes that are no UTF-8 become replacement characters; blobs,
/// complex numbers, xml, and floats that are no numbers become null.
class Writer {
public:
  /// `prefix`: what names of attributes lose (Names.h).
  Writer(Ctx *ctx, TextOut &out, Times times, std::string_view prefix)
      : ctx(ctx), out(out), times(times), prefix(prefix) {
    out.floats = FloatText::Shortest;
  }
  void value(const TypeDesc *, const void *);
  void string(std::string_view);

private:
  void tuple(const TypeDesc *, const char *);
  void elements(const TypeDesc *, const Seq &);
  void entries(const TypeDesc *, const Seq &);
  void time(const Timestamp &);
  template <typename T> void real(T);
  void decimal(const TypeDesc *, const void *);
  void escaped(const char *&p, const char *end);

  Ctx *ctx;
  TextOut &out;
  Times times;
  std::string_view prefix;
};

} // namespace sluice::json
