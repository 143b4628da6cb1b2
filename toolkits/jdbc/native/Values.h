//===- Values.h - attributes as parameters and columns ----------*- C++ -*-===//
//
// Values go to PostgreSQL and come from it as texts: the type of the column or parameter there
// decides how a text is read. Times are in UTC.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "sluice/value.h"
#include "value/Text.h"
#include <string_view>

namespace sluice::jdbc {

/// Whether values of the type can be parameters and columns.
bool isColumnType(const TypeDesc &);
constexpr const char *kColumnTypes =
    "a boolean, a number (not complex), an rstring, ustring, xml, enum, timestamp or blob, or an "
    "optional of one of these";

/// The attribute of this name; without one, that which differs only in upper and lower case. Null:
/// there is none.
const Field *columnOf(const TypeDesc &tuple, std::string_view name);
/// The attribute of exactly this name, or null.
const Field *fieldOf(const TypeDesc &tuple, std::string_view name);

/// Adds the text of an attribute. False: an optional has no value.
bool putText(TextOut &, const TypeDesc &, const void *value);
/// Whether the value is a text with a zero byte, which no text of PostgreSQL may have.
bool hasZero(const TypeDesc &, const void *value);
/// Adds a text as the lines of COPY have it.
void putEscaped(TextOut &, std::string_view);

/// Makes the text of a column a value. It may point to the text or into the arena. False: it is no
/// value of the type.
bool setText(const TypeDesc &, std::string_view text, char *value, Arena &);
/// An optional is without value; all others stay as they are.
void setNull(const TypeDesc &, char *value);

} // namespace sluice::jdbc
