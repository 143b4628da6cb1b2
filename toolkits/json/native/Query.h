//===- Query.h - a value of a text, by its path -----------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "simdjson/singleheader/simdjson.h"
#include "sluice/value.h"
#include <string_view>

namespace sluice::json {

/// In the order of JsonStatus.status (spl/json.spl).
enum class QueryStatus : uint32_t {
  Found,
  FoundCast,
  FoundWrongType,
  FoundNull,
  NotFound,
  PathMustBeginWithSlash,
  InvalidEscape,
};

struct QueryResult {
  QueryStatus status;
  bool hasValue;
};

/// Puts the value at a path (RFC 6901) into `to`, which is all zero, if it can be of the type: a
/// boolean, a number, a string, or a list of these. Elements of a list that are of another type are
/// left out; then the status is the worst of theirs.
QueryResult query(simdjson::dom::element root, std::string_view path, const TypeDesc *, Arena &,
                  void *to);

} // namespace sluice::json
