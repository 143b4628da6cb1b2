//===- Plan.cpp - how values of a type are read from JSON -----------------===//
#include "toolkits/json/native/Plan.h"
#include "toolkits/json/native/Names.h"

namespace sluice::json {

Member::Member(std::string_view name, uint32_t offset, Plan plan)
    : key(std::string(name) + '"'), offset(offset), plan(std::move(plan)) {
  size_t first = std::min(key.size(), sizeof head);
  memcpy(&head, key.data(), first);
  memset(&mask, 0xff, first);
}

static bool isString(const TypeDesc *type) {
  return type->kind == Kind::RString || type->kind == Kind::UString;
}

static Plan makePlan(const TypeDesc *type, Reading how, std::string_view prefix) {
  Plan plan;
  plan.type = type;
  auto hold = [&](const TypeDesc *inner) {
    plan.inner = std::make_unique<Plan>(makePlan(inner, how, prefix));
    plan.isRead = plan.inner->isRead;
  };
  switch (type->kind) {
  case Kind::Blob:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Xml:
    break;
  case Kind::List:
  case Kind::Set:
    hold(type->elem);
    break;
  case Kind::Map:
    if (how == Reading::Match && isString(type->elem))
      hold(type->value);
    break;
  case Kind::Optional:
    hold(type->fields[1].type);
    break;
  case Kind::Tuple:
    plan.isRead = true;
    for (uint32_t i = 0; i < type->count; ++i) {
      const Field &field = type->fields[i];
      plan.members.emplace_back(nameOf(field, prefix), field.offset,
                                makePlan(field.type, how, prefix));
    }
    break;
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Float32:
  case Kind::Float64:
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
  case Kind::Enum:
  case Kind::Timestamp:
  case Kind::RString:
  case Kind::UString:
    plan.isRead = true;
    break;
  }
  return plan;
}

namespace {
struct Made {
  const TypeDesc *type;
  Reading how;
  std::string prefix;
  std::unique_ptr<Plan> plan;
};
} // namespace

const Plan &planFor(const TypeDesc *type, Reading how, std::string_view prefix) {
  static thread_local std::vector<Made> all;
  static thread_local size_t last = 0;
  auto fits = [&](const Made &made) {
    return made.type == type && made.how == how && made.prefix == prefix;
  };
  if (last < all.size() && fits(all[last]))
    return *all[last].plan;
  for (last = 0; last < all.size(); ++last)
    if (fits(all[last]))
      return *all[last].plan;
  all.push_back(
      {type, how, std::string(prefix), std::make_unique<Plan>(makePlan(type, how, prefix))});
  return *all[last].plan;
}

} // namespace sluice::json
