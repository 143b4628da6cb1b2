//===- FormatTime.h - times to text -----------------------------*- C++ -*-===//
#pragma once
#include "value/Text.h"
#include <ctime>

namespace sluice {

/// Appends the fields as C's strftime() writes them.
void formatFields(TextOut &to, std::string_view format, const tm &fields);

} // namespace sluice
