//===- HTTPJSONInjection.cpp - com.ibm.streamsx.inet.rest::HTTPJSONInjection -===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Injection.h"

namespace sluice::inet {
namespace {

class HTTPJSONInjection : public Injection {
protected:
  int32_t layOut(uint32_t port) override;
  Reply check(uint32_t port, const Asked &) override;
  void fill(uint32_t port, const Asked &, char *tuple, Arena &) override;

private:
  std::vector<const Field *> fields; // by port
};

int32_t HTTPJSONInjection::layOut(uint32_t port) {
  const TypeDesc &type = *desc->outTypes[port];
  const Field *field = fieldOf(type, "jsonString");
  if (!field)
    field = &type.fields[0];
  if (!isText(*field->type))
    return sl_error(ctx, "the attribute %s of output port %u must be an rstring or a ustring",
                    field->name, port);
  fields.push_back(field);
  return 0;
}

Reply HTTPJSONInjection::check(uint32_t, const Asked &asked) {
  if (!asked.contentType.starts_with("application/json"))
    return {415, "text/plain", "JSON is expected: application/json\n"};
  return {kTaken, "", ""};
}

void HTTPJSONInjection::fill(uint32_t port, const Asked &asked, char *tuple, Arena &arena) {
  setText(*fields[port], asked.body, tuple, arena);
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPJSONInjection",
                          [] { return static_cast<NativeOp *>(new HTTPJSONInjection); });

} // namespace
} // namespace sluice::inet
