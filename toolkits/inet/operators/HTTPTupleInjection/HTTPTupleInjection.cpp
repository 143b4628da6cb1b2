//===- HTTPTupleInjection.cpp - com.ibm.streamsx.inet.rest::HTTPTupleInjection -===//
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Injection.h"
#include "toolkits/inet/server/Paths.h"

namespace sluice::inet {
namespace {

class HTTPTupleInjection : public Injection {
protected:
  int32_t layOut(uint32_t) override { return 0; }
  Reply check(uint32_t port, const Asked &) override;
  void fill(uint32_t port, const Asked &, char *tuple, Arena &) override;
  int32_t serveMore(uint32_t port) override;

private:
  bool parse(uint32_t port, const std::string &body, char *tuple, Arena &, std::string &wrong);
};

/// `wrong`: the attribute whose value is none of its type.
bool HTTPTupleInjection::parse(uint32_t port, const std::string &body, char *tuple, Arena &arena,
                               std::string &wrong) {
  const TypeDesc &type = *desc->outTypes[port];
  FormValues values = formValues(body);
  for (uint32_t i = 0; i < type.count; ++i) {
    const Field &field = type.fields[i];
    auto value = values.find(std::string_view(field.name));
    if (value == values.end() || value->second.empty())
      continue;
    size_t size = value->second.size();
    auto *text = static_cast<char *>(arenaAlloc(&arena, size, 1));
    memcpy(text, value->second.data(), size);
    if (parseAll(text, text + size, field.type, tuple + field.offset, arena)) {
      wrong = field.name;
      return false;
    }
  }
  return true;
}

Reply HTTPTupleInjection::check(uint32_t port, const Asked &asked) {
  if (!asked.contentType.starts_with("application/x-www-form-urlencoded"))
    return {415, "text/plain", "a form is expected: application/x-www-form-urlencoded\n"};
  Arena arena = {};
  std::vector<uint64_t> tuple(desc->outTypes[port]->size / 8 + 1);
  std::string wrong;
  bool isGood = parse(port, asked.body, reinterpret_cast<char *>(tuple.data()), arena, wrong);
  arenaFree(&arena);
  return isGood ? Reply{kTaken, "", ""}
                : Reply{400, "text/plain", "the value of " + wrong + " is none of its type\n"};
}

void HTTPTupleInjection::fill(uint32_t port, const Asked &asked, char *tuple, Arena &arena) {
  std::string wrong; // nothing is, as check() has said
  parse(port, asked.body, tuple, arena, wrong);
}

/// Names of attributes are letters, digits and `_`, so nothing has to be escaped.
int32_t HTTPTupleInjection::serveMore(uint32_t port) {
  const TypeDesc &type = *desc->outTypes[port];
  std::string page = "<!doctype html><meta charset=utf-8><title>" + std::string(desc->name) +
                     "</title><form method=post action=inject>";
  for (uint32_t i = 0; i < type.count; ++i)
    page += std::string("<p><label>") + type.fields[i].name + " <input name=\"" +
            type.fields[i].name + "\"></label>";
  page += "<p><button>Submit</button></form>\n";
  Reply reply = {200, "text/html; charset=utf-8", page};
  return serving.serve(*this, serving.pathOf("output", port, "form"), 0,
                       [reply](const Asked &) { return reply; });
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPTupleInjection",
                          [] { return static_cast<NativeOp *>(new HTTPTupleInjection); });

} // namespace
} // namespace sluice::inet
