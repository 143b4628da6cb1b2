//===- PredicateFunctions.cpp - conditions that are texts -------*- C++ -*-===//
#include "runtime/exchange/Condition.h"
#include "runtime/exec/exchange/Scalar.h"
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/Library.h"
#include <map>
#include <span>
#include <vector>

using namespace sluice;
using exchange::Value;

namespace {
/// A condition over the attributes of a type: booleans, numbers, rstrings, and lists of them.
class Predicate : exchange::Names {
public:
  /// False: the text is no such condition.
  bool parse(std::string_view text, Type type);
  bool holds(const char *tuple);

private:
  Value valueOf(uint32_t slot) const override { return values[slot]; }
  static bool isUsable(const TypeDesc *type) {
    return exchange::isScalar(type->kind == Kind::List ? type->elem->kind : type->kind);
  }

  exchange::Condition condition;
  // By name of the condition.
  std::vector<const Field *> fields;
  std::vector<Value> values;                // of the tuple
  std::vector<std::vector<Value>> elements; // of lists in it
};
} // namespace

bool Predicate::parse(std::string_view text, Type type) {
  if (!condition.parse(text).empty() || condition.isAlways())
    return false;
  for (const std::string &name : condition.names()) {
    const Field *found = nullptr;
    for (uint32_t i = 0; i < type->count; ++i)
      if (type->fields[i].name == name && isUsable(type->fields[i].type))
        found = &type->fields[i];
    if (!found)
      return false;
    fields.push_back(found);
  }
  values.resize(fields.size());
  elements.resize(fields.size());
  return true;
}

bool Predicate::holds(const char *tuple) {
  for (size_t slot = 0; slot < fields.size(); ++slot) {
    const Field &field = *fields[slot];
    const char *at = tuple + field.offset;
    if (field.type->kind != Kind::List) {
      values[slot] = exchange::scalarAt(field.type->kind, at);
      continue;
    }
    const auto &list = *reinterpret_cast<const Seq *>(at);
    elements[slot].clear();
    for (uint32_t i = 0; i < list.len; ++i)
      elements[slot].push_back(
          exchange::scalarAt(field.type->elem->kind, elementAt(field.type, &list, i)));
    values[slot] = Value::of(std::span<const Value>(elements[slot]));
  }
  return condition.holds(*this);
}

/// The condition that a text is, as this thread knows it. Null: it is none.
static Predicate *predicateOf(std::string_view text, Type type) {
  struct Known {
    std::map<Type, Predicate> byType;
  };
  thread_local LastUsed<Known> cache;
  Known *known = cache.find(text);
  if (known)
    if (auto found = known->byType.find(type); found != known->byType.end())
      return &found->second;
  Predicate made;
  if (!made.parse(text, type))
    return nullptr;
  if (!known)
    known = cache.add(text, {});
  return &known->byType.insert_or_assign(type, std::move(made)).first->second;
}

SL(evalPredicate, rgi)(Ctx *, Type type, uint8_t *result, const Str *text, const void *tuple,
                       int32_t *error) {
  Predicate *predicate = predicateOf(viewOf(*text), type);
  *error = predicate ? 0 : 1;
  *result = predicate && predicate->holds(static_cast<const char *>(tuple));
  return 0;
}
