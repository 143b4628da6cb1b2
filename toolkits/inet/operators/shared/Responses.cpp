//===- Responses.cpp - tuples that say what became of a request -----------===//
#include "toolkits/inet/operators/shared/Responses.h"
#include <cstring>

namespace sluice::inet {

int32_t Responses::open(Ctx *ctx, const TypeDesc &type) {
  const struct {
    const char *name;
    Kind kind;
    const Field **field;
  } wanted[] = {{"data", Kind::RString, &data},
                {"errorMessage", Kind::RString, &errorMessage},
                {"responseCode", Kind::Int32, &responseCode},
                {"dataSize", Kind::Int32, &dataSize}};
  for (auto [name, kind, field] : wanted) {
    *field = fieldOf(type, name);
    if (!*field || (*field)->type->kind != kind)
      return sl_error(ctx, "the output needs an attribute `%s %s`, as the type HTTPResponse has",
                      kind == Kind::RString ? "rstring" : "int32", name);
  }
  return 0;
}

void Responses::fill(char *tuple) const {
  Str text = strView(body.data(), body.size());
  memcpy(tuple + data->offset, &text, sizeof text);
  text = strView(problem.data(), problem.size());
  memcpy(tuple + errorMessage->offset, &text, sizeof text);
  store(tuple + responseCode->offset, status);
  store(tuple + dataSize->offset, int32_t(body.size()));
}

} // namespace sluice::inet
