//===- Params.h - reading the parameters of native operators ----*- C++ -*-===//
#pragma once
#include "sluice/native.h"
#include "value/Text.h"
#include <string>
#include <string_view>

namespace sluice {

inline double numberOf(const ParamValue &v) {
  switch (v.type->kind) {
  case Kind::Int8:
    return load<int8_t>(v.value);
  case Kind::Int16:
    return load<int16_t>(v.value);
  case Kind::Int32:
    return load<int32_t>(v.value);
  case Kind::Int64:
    return double(load<int64_t>(v.value));
  case Kind::Boolean:
  case Kind::UInt8:
    return load<uint8_t>(v.value);
  case Kind::UInt16:
    return load<uint16_t>(v.value);
  case Kind::UInt32:
    return load<uint32_t>(v.value);
  case Kind::UInt64:
    return double(load<uint64_t>(v.value));
  case Kind::Float32:
    return load<float>(v.value);
  case Kind::Float64:
    return load<double>(v.value);
  default:
    return 0;
  }
}

/// A native operator with typed access to its parameters.
struct ParamOp : NativeOp {
  double number(std::string_view name, double otherwise) const {
    const Param *p = param(name);
    return p ? numberOf(p->values[0]) : otherwise;
  }
  bool flag(std::string_view name, bool otherwise) const { return number(name, otherwise) != 0; }
  /// Strings and custom literals.
  std::string text(std::string_view name, std::string_view otherwise) const {
    const Param *p = param(name);
    if (!p || p->values[0].type->kind != Kind::RString)
      return std::string(otherwise);
    return std::string(viewOf(*static_cast<const Str *>(p->values[0].value)));
  }
  /// A single byte that may stand between fields.
  int32_t separator(char &result) const {
    std::string s = text("separator", ",");
    if (s.size() != 1 || s[0] == ' ' || s[0] == '\t' || s[0] == '\n' || s[0] == '\r' ||
        s[0] == '"' || s[0] == '\'')
      return sl_error(ctx, "the separator must be one byte, no blank and no quote");
    result = s[0];
    return 0;
  }
  /// Relative names start at the data directory.
  std::string resolve(std::string_view name) const {
    if (name.starts_with("/"))
      return std::string(name);
    return std::string(sl_data_dir(ctx)) + "/" + std::string(name);
  }
};

} // namespace sluice
