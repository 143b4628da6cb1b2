//===- UDPSource.cpp - spl.adapter::UDPSource -----------------------------===//
//
// Each datagram is a text for a RowReader, whose numbers go on.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/net/Connector.h"
#include "stdlib/native/net/Listening.h"
#include <cerrno>

namespace sluice {
namespace {

/// No datagram is longer.
constexpr size_t kMost = 64 * 1024;

class UDPSource : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  bool finishes() const override { return true; }

private:
  int32_t receive();
  int32_t readRows();

  net::Socket socket;
  net::Numbers local, remote;
  std::unique_ptr<char[]> datagram{new char[kMost]};
  LineReader lines{this};
  RowReader rows{*this, lines, RowReader::Origin::Network};
};

int32_t UDPSource::open() {
  rows.supply("RemoteIP", remote.host);
  rows.supply("RemotePort", remote.port);
  rows.supply("ServerPort", local.port);
  net::Endpoint at{text("address", ""), net::portOf(*this)};
  std::string interface;
  bool isGroup = net::isGroup(at);
  if (rows.open() ||
      net::chooseAddress(*this, isGroup ? "interface" : "address", isGroup ? interface : at.host))
    return 1;
  net::BufferSizes sizes{.receive = uint32_t(number("receiveBufferSize", 0))};
  net::Problem problem = receiveAt(at, interface, sizes, socket);
  if (!problem.empty())
    return sl_error(ctx, "cannot receive at %s: %s", toText(at).c_str(), problem.c_str());
  local = net::localEnd(socket);
  return 0;
}

int32_t UDPSource::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  rows.begin("datagrams", 0);
  while (!sl_await_readable(ctx, socket.descriptor()))
    if (int32_t result = receive(); result || (result = sl_save_point(ctx)))
      return result;
  rows.reportBad();
  return 0;
}

int32_t UDPSource::receive() {
  net::Address from;
  int64_t size = receiveFrom(socket, datagram.get(), kMost, from);
  if (size == -EAGAIN) // it was damaged
    return 0;
  if (size < 0)
    return sl_error(ctx, "cannot receive: %s", net::problemOf(int(size)).c_str());
  remote = numbersOf(from);
  lines.openText({datagram.get(), size_t(size)}, rows.eolMarker());
  rows.goOn("datagram of " + toText(net::Endpoint{remote.host, std::to_string(remote.port)}));
  return readRows();
}

int32_t UDPSource::readRows() {
  while (rows.next() == LineReader::Status::Line)
    if (int32_t result = rows.read())
      return result;
  return 0;
}

RegisterNative registered("spl.adapter::UDPSource",
                          [] { return static_cast<NativeOp *>(new UDPSource); });

} // namespace
} // namespace sluice
