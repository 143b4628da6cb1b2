//===- Plan.h - how values of a type are read from JSON ---------*- C++ -*-===//
#pragma once
#include "sluice/value.h"
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::json {

/// How texts are read.
enum class Reading : uint8_t {
  // What has another type is converted by its text (a number for an rstring, "1" for an int32); if
  // that cannot be, the text is bad. Maps are left out. Tuples are made anew.
  Convert,
  // What has another type is left out. Tuples keep what the text does not say.
  Match,
};

struct Member;

/// One type, and the types in it.
struct Plan {
  const TypeDesc *type = nullptr;
  bool isRead = false;         // not a type that is left out
  std::unique_ptr<Plan> inner; // of the elements of lists and sets, of what maps and optionals hold
  std::vector<Member> members; // of a tuple
};

struct Member {
  Member(std::string_view name, uint32_t offset, Plan);

  std::string_view name() const { return std::string_view(key).substr(0, key.size() - 1); }
  /// Whether a key of the text begins at `at`, without escapes, that is the name. From there there
  /// are `most` bytes of the text, and eight that can be read.
  bool isAt(const char *at, size_t most) const {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    if ((word & mask) != head)
      return false;
    size_t size = key.size();
    return size <= sizeof word ||
           (size <= most &&
            !memcmp(at + sizeof word, key.data() + sizeof word, size - sizeof word));
  }

  std::string key;             // the name, with the quotation mark behind it
  uint64_t head = 0, mask = 0; // its first eight bytes, and which of them it has
  uint32_t offset;
  Plan plan;
};

/// The plan for a type. Attributes are called in the text as in the type, without `prefix` if they
/// begin so. It is made once for each thread, and stays.
const Plan &planFor(const TypeDesc *, Reading, std::string_view prefix);

} // namespace sluice::json
