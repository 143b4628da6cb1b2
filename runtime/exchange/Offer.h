//===- Offer.h - streams that jobs offer, and who wants them -----*- C++ -*-===//
//
// Pure.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exchange/Condition.h"
#include "sluice/value.h"
#include <optional>

namespace sluice::exchange {

/// A value that owns its parts: a boolean (in `integer`), an integer, a float, a text, or a list of
/// these.
struct Owned {
  Value::Kind kind = Value::Kind::None;
  Integer integer = 0;
  double number = 0;
  std::string text;
  std::vector<Owned> list;
};
/// `elements` holds those of a list while the value is used.
Value valueOf(const Owned &, std::vector<Value> &elements);

struct Property {
  std::string name;
  Owned value;
};

/// Streams and Imports meet within a scope. Of programs that name none:
constexpr char kUsualScope[] = "Default";

/// A stream that a job exports.
struct Offer {
  std::string stream; // an instance path: of the operator that makes it
  std::optional<std::string> id;
  std::string scope = kUsualScope;
  std::vector<Property> properties;
  std::string type; // of its tuples, in SPL
  uint64_t schema = 0;
  bool allowsFilter = false, waits = true;
  bool ended = false; // there is nothing more of it
};

/// What an Import takes.
struct Wish {
  std::string scope = kUsualScope; // of the streams that are taken
  std::string application;         // with an id: of this application only; empty: of any
  std::optional<std::string> id;   // nothing: by the subscription
  Condition subscription;
};

/// Whether an Import takes a stream of that application.
bool matches(const Wish &, const std::string &application, const Offer &);

/// `tuple<int32 n, rstring k>`: equal texts are equal types.
std::string typeText(const TypeDesc *);

/// As `sluice jobs` shows it: `kind = "numbers", level = 3`.
std::string propertiesText(const std::vector<Property> &);

} // namespace sluice::exchange
