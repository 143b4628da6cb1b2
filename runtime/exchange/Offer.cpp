//===- Offer.cpp - streams that jobs offer, and who wants them ------------===//
#include "runtime/exchange/Offer.h"

namespace sluice::exchange {

Value valueOf(const Owned &owned, std::vector<Value> &elements) {
  switch (owned.kind) {
  case Value::Kind::Boolean:
    return Value::of(owned.integer != 0);
  case Value::Kind::Integer:
    return Value::of(Integer(owned.integer));
  case Value::Kind::Float:
    return Value::of(owned.number);
  case Value::Kind::Text:
    return Value::of(std::string_view(owned.text));
  case Value::Kind::List:
    elements.clear();
    for (const Owned &element : owned.list)
      if (std::vector<Value> none; element.kind != Value::Kind::List)
        elements.push_back(valueOf(element, none));
    return Value::of(std::span<const Value>(elements));
  case Value::Kind::None:
    break;
  }
  return {};
}

namespace {
/// The properties of a stream, for the names of a subscription.
class PropertyNames : public Names {
public:
  PropertyNames(const std::vector<std::string> &names, const std::vector<Property> &properties)
      : values(names.size()), elements(names.size()) {
    for (size_t slot = 0; slot < names.size(); ++slot)
      for (const Property &property : properties)
        if (property.name == names[slot])
          values[slot] = exchange::valueOf(property.value, elements[slot]);
  }
  Value valueOf(uint32_t slot) const override { return values[slot]; }

private:
  std::vector<Value> values;
  std::vector<std::vector<Value>> elements;
};
} // namespace

bool matches(const Wish &wish, const std::string &application, const Offer &offer) {
  if (offer.ended || offer.scope != wish.scope)
    return false;
  if (wish.id)
    return offer.id == wish.id && (wish.application.empty() || wish.application == application);
  if (offer.id || wish.subscription.isAlways())
    return false;
  return wish.subscription.holds(PropertyNames(wish.subscription.names(), offer.properties));
}

static const char *keywordOf(Kind kind) {
  switch (kind) {
#define SPL_KIND(name, keyword, ...)                                                               \
  case Kind::name:                                                                                 \
    return keyword;
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
  }
  return "";
}

std::string typeText(const TypeDesc *type) {
  std::string text = keywordOf(type->kind);
  if (type->kind == Kind::List || type->kind == Kind::Set)
    return text + "<" + typeText(type->elem) + ">";
  if (type->kind == Kind::Map)
    return text + "<" + typeText(type->elem) + ", " + typeText(type->value) + ">";
  if (type->kind == Kind::Optional)
    return text + "<" + typeText(type->fields[1].type) + ">";
  bool isEnum = type->kind == Kind::Enum;
  if (!isEnum && type->kind != Kind::Tuple)
    return text;
  text += isEnum ? "{" : "<";
  for (uint32_t i = 0; i < type->count; ++i) {
    text += i ? ", " : "";
    text += isEnum ? type->names[i] : typeText(type->fields[i].type) + " " + type->fields[i].name;
  }
  return text + (isEnum ? "}" : ">");
}

std::string propertiesText(const std::vector<Property> &properties) {
  std::string text;
  std::vector<Value> elements;
  for (const Property &property : properties)
    text += (text.empty() ? "" : ", ") + property.name + " = " +
            literalOf(valueOf(property.value, elements));
  return text;
}

} // namespace sluice::exchange
