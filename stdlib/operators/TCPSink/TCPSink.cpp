//===- TCPSink.cpp - spl.adapter::TCPSink ---------------------------------===//
//
// Rows (RowWriter) go into a buffer, and from there into the connection (Connector). The thread of
// FlushTimer begins to connect again where an attempt has failed; tuples only look how far it is.
// The thread sends as well what has waited long enough, without waiting for room.
//
// With retryFailedSends the buffer keeps whole tuples: those of which a byte was not sent.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "sluice/leftout.h"
#include "stdlib/native/csv/RowWriter.h"
#include "stdlib/native/net/Connector.h"
#include "stdlib/native/net/Tls.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include <algorithm>
#include <cerrno>
#include <utility>

namespace sluice {
namespace {

/// So many bytes are sent at once.
constexpr size_t kBlock = 64 * 1024;
/// How often the timer looks for a connection, and tries to make one.
constexpr int64_t kLook = os::kNanos / 10;
/// What was written is sent after so many of these.
constexpr uint32_t kLooksToSend = 10;
/// How many seconds it waits for the other end once the program ends.
constexpr int kPatience = 5;

class TCPSink : public ParamOp, private Flushable {
public:
  ~TCPSink() { stopTimer(); }
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;

private:
  enum class Outcome { Done, Wait, Drop, Fail };

  void layOut();
  void flushByTimer() override;
  void stopTimer();
  bool step(bool begins);
  bool isConnected(bool begins = false);
  void leadTo(const void *tuple);
  Outcome write(const void *tuple);
  void send(bool waits);
  void forget(size_t bytes);
  void lost(int error);
  void hangUp(int seconds);
  bool pause();
  void finish();
  void warn();

  RowWriter rows;
  uint64_t flushEvery = 0;
  bool flushOnMark = true, retries = false, detects = false, isDynamic = false, timed = false;
  const Field *address = nullptr, *port = nullptr; // of the tuple, if they depend on it

  os::Lock lock; // guards what is below, against the timer's thread
  net::Connector connector;
  net::Tls tls;
  net::Channel channel;
  TextOut buffer;
  size_t taken = 0;         // bytes at its beginning that the connection has taken
  std::vector<size_t> ends; // of the rows in it, if it retries
  uint64_t sinceFlush = 0, dropped = 0;
  uint32_t looks = 0;  // of the timer since something was sent
  bool isLed = false;  // with closeMode dynamic: there was a tuple to connect for
  std::string problem; // that the operator has to warn of
  std::string fatal;   // why a client cannot go on
  std::string said;    // the problem of the connector that it knows
};

int32_t TCPSink::open() {
  flushEvery = uint64_t(number("flush", 0));
  flushOnMark = flag("flushOnPunctuation", true);
  retries = flag("retryFailedSends", false);
  detects = flag("detectDisconnectsBeforeSends", false);
  isDynamic = text("closeMode", "never") == "dynamic";
  if (rows.configure(*this) || tls.open(*this) || connector.open(*this))
    return 1;
  layOut();
  if (!isDynamic)
    step(/*begins=*/true);
  FlushTimer::shared().add(this, kLook);
  timed = true;
  return 0;
}

/// Finds the address and the port in the tuple.
void TCPSink::layOut() {
  const TypeDesc &type = *desc->inTypes[0];
  for (uint32_t i = 0; i < type.count; ++i) {
    std::string_view name = type.fields[i].name;
    if (name == "$address")
      address = &type.fields[i];
    if (name == "$port")
      port = &type.fields[i];
  }
}

//===--- the connection -------------------------------------------------------===//

/// Goes on to connect. Whether there is a connection now.
bool TCPSink::step(bool begins) {
  net::Socket socket;
  if (!connector.step(socket, begins))
    return false;
  channel.open(std::move(socket), tls, connector.peerName());
  return true;
}

/// Goes on to connect if there is no connection.
bool TCPSink::isConnected(bool begins) {
  if (channel && detects && remote::isHungUp(channel.socket()))
    lost(0);
  if (!channel && step(begins))
    said.clear();
  if (!channel && !connector.problem().empty() && connector.problem() != said) {
    said = connector.problem();
    problem = "cannot connect to " + connector.targetText() + ": " + said +
              (connector.givesUp() ? "" : "; it tries again");
  }
  return bool(channel);
}

/// With closeMode dynamic: another connection, if the tuple goes elsewhere.
void TCPSink::leadTo(const void *tuple) {
  auto *bytes = static_cast<const char *>(tuple);
  net::Endpoint to = connector.target();
  if (address)
    to.host = viewOf(*reinterpret_cast<const Str *>(bytes + address->offset));
  if (port)
    to.port = net::portOf(*port->type, bytes + port->offset);
  if (isLed && to == connector.target())
    return;
  send(/*waits=*/true);
  hangUp(0); // other tuples wait
  connector.leadTo(to);
  isLed = true;
  isConnected(/*begins=*/true);
}

/// Closes the connection when the other end has what was sent. It may take nothing for so many
/// seconds.
void TCPSink::hangUp(int seconds) {
  if (!channel)
    return;
  if (!channel.closeWhenTaken(seconds * os::kNanos) && seconds)
    problem = "the connection to " + connector.targetText() +
              " is closed, and its other end has not taken all that was sent";
  connector.ended();
}

/// The connection has broken off.
void TCPSink::lost(int error) {
  if (error == -EPROTO && text("role", "") == "client") // TLS, which would fail again
    fatal = "cannot connect to " + connector.targetText() + ": " + channel.problem(error);
  problem = "the connection to " + connector.targetText() + " has ended" +
            (error ? ": " + channel.problem(error) : "");
  channel.close();
  connector.ended();
  taken = 0;
  if (!retries)
    forget(buffer.size);
}

//===--- sending --------------------------------------------------------------===//

/// So many bytes of the buffer need not be sent any more.
void TCPSink::forget(size_t bytes) {
  std::copy(buffer.data + bytes, buffer.data + buffer.size, buffer.data);
  buffer.size -= bytes;
  auto behind = std::ranges::upper_bound(ends, bytes);
  ends.erase(ends.begin(), behind);
  for (size_t &end : ends)
    end -= bytes;
}

/// Sends the buffer. `waits`: until there is room; once the program ends, a few seconds.
void TCPSink::send(bool waits) {
  sinceFlush = looks = 0;
  int error = 0;
  for (int idle = 0; channel && taken < buffer.size && !error;) {
    int64_t n = channel.write(std::as_bytes(std::span(buffer.data + taken, buffer.size - taken)));
    if (n == -EAGAIN && !waits)
      break;
    if (n >= 0)
      taken += size_t(n), idle = 0;
    else if (n != -EAGAIN)
      error = int(n);
    else if (!channel.await(os::kNanos) && sl_is_shutdown(ctx) && ++idle == kPatience)
      error = -ETIMEDOUT;
  }
  size_t whole = taken;
  if (retries) { // a row stays until all of it is taken
    auto behind = std::ranges::upper_bound(ends, taken);
    whole = behind == ends.begin() ? 0 : *(behind - 1);
  }
  forget(whole);
  taken -= whole;
  if (error)
    lost(error);
}

void TCPSink::flushByTimer() {
  if (!lock.tryLock()) // who has it sends, or waits for room
    return;
  isConnected(/*begins=*/!isDynamic || isLed);
  if (++looks >= kLooksToSend)
    send(/*waits=*/false);
  lock.unlock();
}

void TCPSink::stopTimer() {
  if (std::exchange(timed, false))
    FlushTimer::shared().remove(this);
}

/// Without the lock.
void TCPSink::warn() {
  std::string text;
  {
    os::Held held(lock);
    text.swap(problem);
  }
  if (!text.empty())
    sl_warn(ctx, desc, "%s", text.c_str());
}

/// Waits before it is worth to look for a connection again. True: the program ends.
bool TCPSink::pause() {
  warn();
  return sl_wait(ctx, std::max(connector.wait().seconds, 0.01));
}

//===--- what arrives ---------------------------------------------------------===//

TCPSink::Outcome TCPSink::write(const void *tuple) {
  os::Held held(lock);
  if (!fatal.empty())
    return Outcome::Fail;
  if (isDynamic)
    leadTo(tuple);
  if (!isConnected()) {
    bool waits = retries || isDynamic || connector.isConnecting();
    return waits && !connector.givesUp() ? Outcome::Wait : Outcome::Drop;
  }
  rows.row(buffer, tuple, rows.isTimed() ? sl_now(ctx) : 0);
  if (retries)
    ends.push_back(buffer.size);
  if (buffer.size - taken >= kBlock || ++sinceFlush == flushEvery)
    send(/*waits=*/true);
  return Outcome::Done;
}

int32_t TCPSink::tuple(uint32_t, const void *tuple) {
  Outcome outcome;
  while ((outcome = write(tuple)) == Outcome::Wait && !pause()) {
  }
  if (outcome == Outcome::Fail)
    return sl_error(ctx, "%s", fatal.c_str());
  dropped += outcome != Outcome::Done;
  warn();
  return 0;
}

int32_t TCPSink::punct(uint32_t, PunctuationKind kind) {
  {
    os::Held held(lock);
    if (isConnected()) {
      rows.mark(buffer, kind, rows.isTimed() ? sl_now(ctx) : 0);
      if (retries)
        ends.push_back(buffer.size);
    }
    if (flushOnMark || isFinal(kind))
      send(/*waits=*/true);
  }
  if (isFinal(kind))
    finish();
  warn();
  os::Held held(lock);
  return fatal.empty() ? 0 : sl_error(ctx, "%s", fatal.c_str());
}

/// Sends what is left, and closes the connection.
void TCPSink::finish() {
  for (;;) {
    {
      os::Held held(lock);
      bool connected = isConnected();
      if (connected)
        send(/*waits=*/true);
      if (buffer.size == 0 || connector.givesUp() || !fatal.empty())
        break;
    }
    if (pause())
      break;
  }
  os::Held held(lock);
  connector.leaveName();
  hangUp(kPatience);
  dropped += ends.size();
  sl_leaves_out(ctx, desc, LeftOut::Unsent, dropped);
  if (dropped && problem.empty())
    problem = std::to_string(dropped) + (dropped == 1 ? " tuple was" : " tuples were") +
              " dropped, as nobody was connected" +
              (retries ? "" : "; with `retryFailedSends : true` they wait");
}

/// Where the program ends with an error, no final punctuation came.
int32_t TCPSink::close() {
  stopTimer();
  os::Held held(lock);
  send(/*waits=*/true);
  connector.leaveName();
  hangUp(kPatience);
  return 0;
}

RegisterNative registered("spl.adapter::TCPSink",
                          [] { return static_cast<NativeOp *>(new TCPSink); });

} // namespace
} // namespace sluice
