//===- HTTPXMLInjection.cpp - com.ibm.streamsx.inet.rest::HTTPXMLInjection -===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Injection.h"

namespace sluice::inet {
namespace {

class HTTPXMLInjection : public Injection {
public:
  HTTPXMLInjection() : Injection(1000) {}

protected:
  int32_t layOut(uint32_t port) override;
  Reply check(uint32_t port, const Asked &) override;
  void fill(uint32_t port, const Asked &, char *tuple, Arena &) override;
};

int32_t HTTPXMLInjection::layOut(uint32_t port) {
  const Field &field = desc->outTypes[port]->fields[0];
  return field.type->kind == Kind::Xml
             ? 0
             : sl_error(ctx, "the first attribute of output port %u, %s, must be an xml", port,
                        field.name);
}

Reply HTTPXMLInjection::check(uint32_t port, const Asked &asked) {
  if (!hasType(asked, "application/xml"))
    return {415, "text/plain", "XML is expected: application/xml\n"};
  Arena arena = {};
  Str text = strView(asked.body.data(), asked.body.size());
  bool isGood =
      !asked.body.empty() && !textValue(desc->outTypes[port]->fields[0].type, &text, arena);
  arenaFree(&arena);
  return isGood ? Reply{kTaken, "", ""} : Reply{400, "text/plain", "this is no XML document\n"};
}

void HTTPXMLInjection::fill(uint32_t port, const Asked &asked, char *tuple, Arena &) {
  Str text = strView(asked.body.data(), asked.body.size()); // XML, as check() has said
  memcpy(tuple + desc->outTypes[port]->fields[0].offset, &text, sizeof text);
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPXMLInjection",
                          [] { return static_cast<NativeOp *>(new HTTPXMLInjection); });

} // namespace
} // namespace sluice::inet
