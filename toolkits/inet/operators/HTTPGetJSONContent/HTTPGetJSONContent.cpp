//===- HTTPGetJSONContent.cpp - com.ibm.streamsx.inet.http::HTTPGetJSONContent -===//
#include "toolkits/inet/operators/shared/Polling.h"

namespace sluice::inet {

static RegisterNative registered("com.ibm.streamsx.inet.http::HTTPGetJSONContent", [] {
  return static_cast<NativeOp *>(new Polling("application/json", Polling::Content::Text));
});

} // namespace sluice::inet
