//===- NumberText.h - numbers in a language ---------------------*- C++ -*-===//
#pragma once
#include "stdlib/native/messages/Pattern.h"

namespace sluice::messages {

/// Appends a number as ICU writes it in a locale. `style` is that of ICU's MessageFormat: empty,
/// integer, percent, currency, or a pattern such as `#,##0.00`. Returns what is wrong; empty:
/// nothing.
std::string putNumber(std::string &to, const Argument &number, std::string_view style,
                      const std::string &locale);

} // namespace sluice::messages
