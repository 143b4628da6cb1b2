//===- HTTPBLOBInjection.cpp - com.ibm.streamsx.inet.rest::HTTPBLOBInjection -===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Injection.h"

namespace sluice::inet {
namespace {

class HTTPBLOBInjection : public Injection {
public:
  HTTPBLOBInjection() : Injection(1000) {}

protected:
  int32_t layOut(uint32_t port) override;
  Reply check(uint32_t port, const Asked &) override;
  void fill(uint32_t port, const Asked &, char *tuple, Arena &) override;
};

int32_t HTTPBLOBInjection::layOut(uint32_t port) {
  const Field &field = desc->outTypes[port]->fields[0];
  return field.type->kind == Kind::Blob
             ? 0
             : sl_error(ctx, "the first attribute of output port %u, %s, must be a blob", port,
                        field.name);
}

Reply HTTPBLOBInjection::check(uint32_t, const Asked &asked) {
  if (!hasType(asked, "application/octet-stream"))
    return {415, "text/plain", "bytes are expected: application/octet-stream\n"};
  return {kTaken, "", ""};
}

void HTTPBLOBInjection::fill(uint32_t port, const Asked &asked, char *tuple, Arena &arena) {
  const TypeDesc &type = *desc->outTypes[port];
  Str bytes = strView(asked.body.data(), asked.body.size());
  memcpy(tuple + type.fields[0].offset, &bytes, sizeof bytes);
  if (type.count > 1 && isTextMap(*type.fields[1].type))
    setMap(type.fields[1], asked.headers, tuple, arena);
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPBLOBInjection",
                          [] { return static_cast<NativeOp *>(new HTTPBLOBInjection); });

} // namespace
} // namespace sluice::inet
