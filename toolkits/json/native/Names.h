//===- Names.h - what attributes are called in JSON -------------*- C++ -*-===//
#pragma once
#include "sluice/value.h"
#include <string_view>

namespace sluice::json {

/// The name of an attribute without `prefix`, if it begins so: SPL's keywords cannot be names.
inline std::string_view nameOf(const Field &field, std::string_view prefix) {
  std::string_view name = field.name;
  if (name.starts_with(prefix))
    name.remove_prefix(prefix.size());
  return name;
}

} // namespace sluice::json
