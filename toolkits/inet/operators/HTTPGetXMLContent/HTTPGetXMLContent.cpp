//===- HTTPGetXMLContent.cpp - com.ibm.streamsx.inet.http::HTTPGetXMLContent -===//
#include "toolkits/inet/operators/shared/Polling.h"

namespace sluice::inet {

static RegisterNative registered("com.ibm.streamsx.inet.http::HTTPGetXMLContent", [] {
  return static_cast<NativeOp *>(new Polling("application/xml, text/xml", Polling::Content::Xml));
});

} // namespace sluice::inet
