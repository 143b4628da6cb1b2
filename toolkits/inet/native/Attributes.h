//===- Attributes.h - attributes of tuples by their names -------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "runtime/value/Text.h"
#include "sluice/native.h"
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::inet {

/// The attribute of a tuple type; null: it has none of this name.
const Field *fieldOf(const TypeDesc &, std::string_view name);
/// The attribute that a parameter names, or that is called `name`, or the only one. Null: there is
/// none, as sl_error has said, or it is no text.
const Field *textField(Ctx *, const TypeDesc &, const char *parameter, std::string_view given,
                       std::string_view name);
bool isText(const TypeDesc &);

/// Makes the attribute, an rstring or ustring, this text, which it may point to. What a ustring
/// needs more is in the arena.
void setText(const Field &, std::string_view, char *tuple, Arena &);
/// A map<rstring, rstring>.
bool isTextMap(const TypeDesc &);
/// Makes the attribute, such a map, these names and values, which it may point to. Of equal names
/// the first one counts. The map is in the arena.
void setMap(const Field &, const std::vector<std::pair<std::string, std::string>> &, char *tuple,
            Arena &);
/// The text of any value: that of strings without quotation marks.
std::string textOf(const Field &, const void *tuple);

/// Copies attributes of the input to those of the output that have the same name and type.
class Copies {
public:
  Copies() = default;
  Copies(const TypeDesc &from, const TypeDesc &to);
  void copy(const void *from, char *to) const;

private:
  struct Part {
    uint32_t from, to, size;
  };
  std::vector<Part> parts;
};

} // namespace sluice::inet
