//===- Values.h - values of SPL as those of properties ------------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Offer.h"
#include "value/Text.h"

namespace sluice::exchange {

/// A text, a number, or a list of these.
inline Owned ownedOf(const TypeDesc *type, const char *value) {
  Owned owned;
  if (type->kind == Kind::RString) {
    owned.kind = Value::Kind::Text;
    owned.text = viewOf(*reinterpret_cast<const Str *>(value));
  } else if (type->kind == Kind::Boolean) {
    owned.kind = Value::Kind::Boolean;
    owned.integer = *value != 0;
  } else if (type->kind == Kind::List) {
    owned.kind = Value::Kind::List;
    const auto &list = *reinterpret_cast<const Seq *>(value);
    for (uint32_t i = 0; i < list.len; ++i)
      owned.list.push_back(
          ownedOf(type->elem, static_cast<const char *>(list.data) + uint64_t(i) * type->stride));
  } else {
    withNumber(type->kind, [&](auto *number) {
      auto loaded = load<__remove_pointer(decltype(number))>(value);
      bool isFloat = type->kind == Kind::Float32 || type->kind == Kind::Float64;
      owned.kind = isFloat ? Value::Kind::Float : Value::Kind::Integer;
      owned.integer = isFloat ? 0 : Integer(loaded);
      owned.number = isFloat ? double(loaded) : 0;
    });
  }
  return owned;
}

} // namespace sluice::exchange
