//===- UDPSink.cpp - spl.adapter::UDPSink ---------------------------------===//
#include "stdlib/native/csv/RowWriter.h"
#include "stdlib/native/net/Connector.h"
#include <cerrno>

namespace sluice {
namespace {

class UDPSink : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  int64_t timeIfNeeded() const { return rows.isTimed() ? sl_now(ctx) : 0; }
  int32_t send();

  RowWriter rows;
  TextOut datagram;
  net::Socket socket;
  net::Address to;
  std::string target;
};

int32_t UDPSink::open() {
  if (rows.configure(*this))
    return 1;
  net::Endpoint at{text("address", ""), net::portOf(*this)};
  target = toText(at);
  net::BufferSizes sizes{.send = uint32_t(number("sendBufferSize", 0))};
  net::Problem problem = sendTo(at, sizes, uint8_t(number("timeToLive", 1)), socket, to);
  return problem.empty() ? 0
                         : sl_error(ctx, "cannot send to %s: %s", target.c_str(), problem.c_str());
}

int32_t UDPSink::send() {
  int failed = sendDatagram(socket, datagram.view(), to);
  size_t size = datagram.size;
  datagram.clear();
  if (failed == -EMSGSIZE)
    return sl_error(ctx, "a tuple of %zu bytes does not fit into a datagram", size);
  return failed ? sl_error(ctx, "cannot send to %s: %s", target.c_str(),
                           net::problemOf(failed).c_str())
                : 0;
}

int32_t UDPSink::tuple(uint32_t, const void *tuple) {
  rows.row(datagram, tuple, timeIfNeeded());
  return send();
}

int32_t UDPSink::punct(uint32_t, PunctuationKind kind) {
  rows.mark(datagram, kind, timeIfNeeded());
  return datagram.size ? send() : 0;
}

RegisterNative registered("spl.adapter::UDPSink",
                          [] { return static_cast<NativeOp *>(new UDPSink); });

} // namespace
} // namespace sluice
