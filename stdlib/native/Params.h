//===- Params.h - reading the parameters of native operators ----*- C++ -*-===//
#pragma once
#include "runtime/base/Quantity.h"
#include "sluice/native.h"
#include "value/Text.h"
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace sluice {

/// A number or a boolean; 0 for other kinds.
inline double numberOf(const ParamValue &v) {
  if (v.type->kind == Kind::Boolean)
    return load<uint8_t>(v.value);
  double result = 0;
  withNumber(v.type->kind, [&](auto *number) {
    result = double(load<__remove_pointer(decltype(number))>(v.value));
  });
  return result;
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
  /// The name of a file; a relative one begins in the application directory.
  std::string appPath(std::string_view name) const {
    std::string path = text(name, "");
    return path.starts_with("/") ? path : sl_app_dir(ctx) + ("/" + path);
  }
  /// Numbers of the attributes of the first input port that a parameter lists.
  std::vector<uint32_t> attributes(std::string_view name) const {
    std::vector<uint32_t> result;
    const TypeDesc *type = desc->inTypes[0];
    const Param *p = param(name);
    for (size_t i = 0; p && i < p->values.size(); ++i)
      for (uint32_t attribute = 0; attribute < type->count; ++attribute)
        if (viewOf(*static_cast<const Str *>(p->values[i].value)) == type->fields[attribute].name)
          result.push_back(attribute);
    return result;
  }
  /// The parameter `memory`, such as "512MiB": in bytes, of which it needs `least` MiB. Handler
  /// return values.
  int32_t memory(uint64_t least, uint64_t &result) const {
    std::string size = text("memory", "256MiB");
    auto bytes = parseBytes(size);
    if (!bytes || *bytes < least << 20)
      return sl_error(ctx, "memory is a size of at least %uMiB, such as \"512MiB\", not \"%s\"",
                      unsigned(least), size.c_str());
    result = *bytes;
    return 0;
  }
  /// A single byte that may stand between fields, as a string or as a number.
  int32_t separator(char &result) const {
    const Param *p = param("separator");
    std::string s = p && p->values[0].type->kind != Kind::RString
                        ? std::string(1, char(int(numberOf(p->values[0]))))
                        : text("separator", ",");
    if (s.size() != 1 || s[0] == ' ' || s[0] == '\n' || s[0] == '\r' || s[0] == '"' || s[0] == '\'')
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
  /// What to add where `path` could not be opened, if it is in the data directory and that is not
  /// there.
  const char *missingData(std::string_view path) const {
    const char *directory = sl_data_dir(ctx);
    bool isMissing = path.starts_with(directory) && access(directory, F_OK) != 0;
    return isMissing ? " (there is no data directory; --data-dir names another)" : "";
  }
};

} // namespace sluice
