//===- HTTPXMLView.cpp - com.ibm.streamsx.inet.rest::HTTPXMLView ----------===//
#include "toolkits/inet/operators/shared/Serving.h"
#include <mutex>

namespace sluice::inet {
namespace {

class HTTPXMLView : public ParamOp {
public:
  ~HTTPXMLView() { serving.close(); }
  // What is shown comes again with the next tuple.
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t close() override;

private:
  Reply answer(const Asked &) const;

  Serving serving;
  uint32_t offset = 0;     // of the attribute
  mutable std::mutex lock; // guards `shown`
  std::string shown;
};

int32_t HTTPXMLView::open() {
  const TypeDesc &type = *desc->inTypes[0];
  uint32_t at = 0;
  while (at < type.count && type.fields[at].type->kind != Kind::Xml)
    ++at;
  if (at == type.count)
    return sl_error(ctx, "the input needs an attribute that is an xml");
  offset = type.fields[at].offset;
  auto reply = [this](const Asked &asked) { return answer(asked); };
  return serving.open(*this) || serving.serveInfo(*this, "input", 0, type) ||
         serving.serve(*this, serving.pathOf("input", 0, "attribute"), 0, reply);
}

int32_t HTTPXMLView::tuple(uint32_t, const void *tuple) {
  std::string_view text =
      viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + offset));
  std::lock_guard guard(lock);
  shown = text;
  return 0;
}

Reply HTTPXMLView::answer(const Asked &asked) const {
  if (asked.method != "GET" && asked.method != "HEAD")
    return {405, "text/plain", "documents are read by GET\n", {{"Allow", "GET"}}};
  std::lock_guard guard(lock);
  return shown.empty() ? Reply{204, "", ""} : Reply{200, "application/xml", shown};
}

int32_t HTTPXMLView::close() {
  serving.close();
  return 0;
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPXMLView",
                          [] { return static_cast<NativeOp *>(new HTTPXMLView); });

} // namespace
} // namespace sluice::inet
