//===- Bodies.h - tuples as bodies of requests ------------------*- C++ -*-===//
#pragma once
#include "sluice/native.h"
#include <string>
#include <vector>

namespace sluice::inet {

using Fields = std::vector<const Field *>;

/// `name=value&...`, encoded.
std::string asForm(const Fields &, const void *tuple);
/// A JSON object. A lone rstring `jsonString` is that object already.
std::string asJson(Ctx *, const Fields &, const void *tuple);
/// Their texts, behind each other.
std::string asTexts(const Fields &, const void *tuple);
/// As the content type says.
std::string bodyOf(Ctx *, const Fields &, const void *tuple, const std::string &contentType);

/// All attributes of a type.
Fields allOf(const TypeDesc &);

constexpr const char *kJson = "application/json";
constexpr const char *kForm = "application/x-www-form-urlencoded";

} // namespace sluice::inet
