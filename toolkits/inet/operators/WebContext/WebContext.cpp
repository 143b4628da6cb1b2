//===- WebContext.cpp - com.ibm.streamsx.inet.rest::WebContext ------------===//
#include "toolkits/inet/operators/shared/Serving.h"

namespace sluice::inet {
namespace {

class WebContext : public ParamOp {
public:
  ~WebContext() { serving.close(); }
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override { return serving.open(*this); }
  int32_t process() override {
    while (!sl_wait(ctx, 3600)) {
    }
    return 0;
  }
  int32_t close() override {
    serving.close();
    return 0;
  }

private:
  Serving serving;
};

RegisterNative registered("com.ibm.streamsx.inet.rest::WebContext",
                          [] { return static_cast<NativeOp *>(new WebContext); });

} // namespace
} // namespace sluice::inet
