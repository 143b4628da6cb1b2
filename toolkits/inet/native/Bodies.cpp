//===- Bodies.cpp - tuples as bodies of requests --------------------------===//
#include "toolkits/inet/native/Bodies.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/json/native/Writer.h"

namespace sluice::inet {

Fields allOf(const TypeDesc &type) {
  Fields result;
  for (uint32_t i = 0; i < type.count; ++i)
    result.push_back(&type.fields[i]);
  return result;
}

std::string asForm(const Fields &fields, const void *tuple) {
  std::string result;
  for (const Field *field : fields) {
    result += result.empty() ? "" : "&";
    result += formEncoded(field->name) + "=" + formEncoded(textOf(*field, tuple));
  }
  return result;
}

std::string asJson(Ctx *ctx, const Fields &fields, const void *tuple) {
  if (fields.size() == 1 && std::string_view(fields[0]->name) == "jsonString" &&
      fields[0]->type->kind == Kind::RString)
    return textOf(*fields[0], tuple);
  TextOut out;
  json::Writer writer(ctx, out, json::Times::Seconds, {});
  out.put('{');
  for (const Field *field : fields) {
    if (out.size > 1)
      out.put(',');
    writer.string(field->name);
    out.put(':');
    writer.value(field->type, static_cast<const char *>(tuple) + field->offset);
  }
  out.put('}');
  return std::string(out.view());
}

std::string asTexts(const Fields &fields, const void *tuple) {
  std::string result;
  for (const Field *field : fields)
    result += textOf(*field, tuple);
  return result;
}

std::string bodyOf(Ctx *ctx, const Fields &fields, const void *tuple,
                   const std::string &contentType) {
  if (contentType.starts_with(kJson))
    return asJson(ctx, fields, tuple);
  return contentType.starts_with(kForm) ? asForm(fields, tuple) : asTexts(fields, tuple);
}

} // namespace sluice::inet
