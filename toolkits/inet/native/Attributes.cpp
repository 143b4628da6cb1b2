//===- Attributes.cpp - attributes of tuples by their names ---------------===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/json/native/Elements.h"
#include <cstring>
#include <tuple>

namespace sluice::inet {

const Field *fieldOf(const TypeDesc &type, std::string_view name) {
  for (uint32_t i = 0; i < type.count; ++i)
    if (type.fields[i].name == name)
      return &type.fields[i];
  return nullptr;
}

bool isText(const TypeDesc &type) {
  return type.kind == Kind::RString || type.kind == Kind::UString;
}

const Field *textField(Ctx *ctx, const TypeDesc &type, const char *parameter,
                       std::string_view given, std::string_view name) {
  const Field *field = fieldOf(type, given.empty() ? name : given);
  if (!field && given.empty() && type.count == 1)
    field = &type.fields[0];
  if (!field) {
    if (given.empty())
      sl_error(ctx, "the output has no attribute %.*s: %s names another", int(name.size()),
               name.data(), parameter);
    else
      sl_error(ctx, "%s: the output has no attribute %.*s", parameter, int(given.size()),
               given.data());
    return nullptr;
  }
  if (isText(*field->type))
    return field;
  sl_error(ctx, "%s: the attribute %s must be an rstring or a ustring", parameter, field->name);
  return nullptr;
}

void setText(const Field &field, std::string_view text, char *tuple, Arena &arena) {
  Str value = strView(text.data(), text.size());
  textValue(field.type, &value, arena); // fails for xml only
  memcpy(tuple + field.offset, &value, sizeof value);
}

bool isTextMap(const TypeDesc &type) {
  return type.kind == Kind::Map && type.elem->kind == Kind::RString &&
         type.value->kind == Kind::RString;
}

void setMap(const Field &field, const std::vector<std::pair<std::string, std::string>> &entries,
            char *tuple, Arena &arena) {
  json::Elements table(arena, field.type->stride);
  for (const auto &[name, text] : entries) {
    char *entry = table.next();
    for (auto [type, part, at] :
         {std::tuple(field.type->elem, &name, entry),
          std::tuple(field.type->value, &text, entry + field.type->valueOffset)}) {
      Str value = strView(part->data(), part->size());
      textValue(type, &value, arena);
      memcpy(at, &value, sizeof value);
    }
  }
  Seq map = table.collect(field.type);
  memcpy(tuple + field.offset, &map, sizeof map);
}

std::string textOf(const Field &field, const void *tuple) {
  TextOut out;
  printValue(out, field.type, static_cast<const char *>(tuple) + field.offset, false);
  return std::string(out.view());
}

static bool isSame(const TypeDesc *a, const TypeDesc *b) {
  if (!a || !b || a->kind != b->kind || a->count != b->count)
    return a == b;
  for (uint32_t i = 0; a->fields && i < a->count; ++i)
    if (strcmp(a->fields[i].name, b->fields[i].name) ||
        !isSame(a->fields[i].type, b->fields[i].type))
      return false;
  for (uint32_t i = 0; a->names && b->names && i < a->count; ++i)
    if (strcmp(a->names[i], b->names[i]))
      return false;
  return a->bound == b->bound && isSame(a->elem, b->elem) && isSame(a->value, b->value);
}

Copies::Copies(const TypeDesc &from, const TypeDesc &to) {
  for (uint32_t i = 0; i < to.count; ++i) {
    const Field *field = fieldOf(from, to.fields[i].name);
    if (field && isSame(field->type, to.fields[i].type))
      parts.push_back({field->offset, to.fields[i].offset, field->type->size});
  }
}

void Copies::copy(const void *from, char *to) const {
  for (Part part : parts)
    memcpy(to + part.to, static_cast<const char *>(from) + part.from, part.size);
}

} // namespace sluice::inet
