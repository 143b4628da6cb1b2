//===- Errors.cpp - the error ports of both operators ---------------------===//
#include "toolkits/mqtt/native/Errors.h"
#include "value/Value.h"
#include <cstring>
#include <utility>

namespace sluice::mqtt {

static bool isText(const Field &field) {
  return field.type->kind == Kind::RString || field.type->kind == Kind::UString;
}

int32_t Errors::open(ParamOp &op, uint32_t of) {
  port = of;
  if (op.desc->outputs <= port)
    return 0;
  const TypeDesc &type = *op.desc->outTypes[port];
  std::string name = op.text("errorOutAttrName", "");
  for (uint32_t i = 0; i < type.count && !field; ++i)
    if (name.empty() ? isText(type.fields[i]) : type.fields[i].name == name)
      field = &type.fields[i];
  if (!field || !isText(*field))
    return sl_error(op.ctx, "the error port needs an rstring or ustring%s%s",
                    name.empty() ? "" : " ", name.c_str());
  tuple.resize(type.size / 8 + 1);
  return 0;
}

void Errors::add(const std::string &text) {
  if (!field)
    return;
  texts.push_back(text);
  if (texts.size() > kMost)
    texts.pop_front();
}

int32_t Errors::submit(ParamOp &op) {
  for (; !texts.empty(); texts.pop_front()) {
    std::string text = texts.front();
    auto *bytes = reinterpret_cast<char *>(tuple.data());
    memset(bytes, 0, op.desc->outTypes[port]->size);
    size_t most = field->type->bound ? field->type->bound : text.size();
    *reinterpret_cast<Str *>(bytes + field->offset) =
        strView(text.data(), std::min(most, text.size()));
    if (int32_t result = op.submit(port, bytes))
      return result;
  }
  return 0;
}

} // namespace sluice::mqtt
