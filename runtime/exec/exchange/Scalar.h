//===- Scalar.h - attributes as values of conditions -------------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Value.h"
#include "runtime/value/Text.h"
#include <type_traits>

namespace sluice::exchange {

/// Whether a condition may name an attribute of the kind.
inline bool isScalar(Kind kind) {
  return kind == Kind::Boolean || kind == Kind::RString ||
         isIn(kind, type_class::Integral | type_class::Float);
}

/// The value at a place of such a kind.
inline Value scalarAt(Kind kind, const char *at) {
  if (kind == Kind::RString)
    return Value::of(viewOf(*reinterpret_cast<const Str *>(at)));
  if (kind == Kind::Boolean)
    return Value::of(*at != 0);
  Value value;
  withNumber(kind, [&](auto *number) {
    auto loaded = load<__remove_pointer(decltype(number))>(at);
    if constexpr (std::is_floating_point_v<decltype(loaded)>)
      value = Value::of(double(loaded));
    else
      value = Value::of(Integer(loaded));
  });
  return value;
}

} // namespace sluice::exchange
