//===- Syntax.h - where a text is no JSON -----------------------*- C++ -*-===//
//
// simdjson says whether a text is JSON; this says where it is not, and why. It is slow, and only
// for texts with an error.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::json {

/// As many objects and arrays may stand within each other.
constexpr unsigned kDepth = 64;

/// In the order of JsonParseStatus.status (spl/json.spl).
enum class ParseStatus : uint32_t {
  Parsed,
  DocumentEmpty,
  MultipleRoots,
  ValueInvalid,
  KeyMissing,
  ColonMissing,
  ObjectCommaOrBracketMissing,
  ArrayCommaOrBracketMissing,
  UnicodeEscapeInvalid,
  UnicodeSurrogateInvalid,
  StringEscapeInvalid,
  StringQuotationMissing,
  StringInvalidEncoding,
  NumberTooBig,
  NumberMissFraction,
  NumberMissExponent,
  Termination, // here: nested too deep
  SyntaxError,
};

/// What it means, for people: begins in lower case, without a full stop.
std::string_view textOf(ParseStatus);

struct Fault {
  ParseStatus status = ParseStatus::Parsed; // nothing is wrong
  size_t offset = 0;                        // in bytes
};

/// The first fault of a text. `depth`: as many objects and arrays
/// stand around it already.
Fault findFault(std::string_view text, unsigned depth = 0);

} // namespace sluice::json
