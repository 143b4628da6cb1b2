//===- Client.cpp - a connection to a broker of MQTT ----------------------===//
#include "toolkits/mqtt/native/Client.h"
#include "runtime/base/os.h"
#include "value/Value.h"
#include <algorithm>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::mqtt {

constexpr int kPackets = 64;                   // that one step takes
constexpr int64_t kPatience = 10 * os::kNanos; // for a connection to be made

//===--- the conversation -----------------------------------------------------===//

Client::~Client() {
  if (handle)
    lib->mosquitto_destroy(handle);
  for (int descriptor : {waits, timer})
    if (descriptor >= 0)
      ::close(descriptor);
}

void Client::setCallbacks() {
  lib->mosquitto_connect_callback_set(handle, [](mosquitto *, void *client, int code) {
    static_cast<Client *>(client)->answered(code);
  });
  lib->mosquitto_message_callback_set(
      handle, [](mosquitto *, void *client, const mosquitto_message *message) {
        static_cast<Client *>(client)->owner.arrived(*message);
      });
  lib->mosquitto_publish_callback_set(handle, [](mosquitto *, void *client, int id) {
    static_cast<Client *>(client)->owner.confirmed(id);
  });
  lib->mosquitto_subscribe_callback_set(
      handle, [](mosquitto *, void *client, int, int count, const int *granted) {
        if (std::any_of(granted, granted + count, [](int qos) { return qos > 2; }))
          static_cast<Client *>(client)->lost("the broker has refused a topic");
      });
  lib->mosquitto_log_callback_set(handle,
                                  [](mosquitto *, void *client, int level, const char *text) {
                                    if (level == MOSQ_LOG_ERR)
                                      static_cast<Client *>(client)->lastLog = text;
                                  });
}

void Client::lost(const std::string &why, bool isHopeless) {
  bool wasConnected = state == State::Connected;
  attempt.close();
  lastProblem = shown + ": " + why;
  isConnectedMetric->value.store(0, std::memory_order_relaxed);
  if (wasConnected)
    lostMetric->value.fetch_add(1, std::memory_order_relaxed);
  bool ends = isHopeless || (bound >= 0 && ++failures > bound);
  state = ends ? State::Ended : State::Idle;
  due = sl_now(home) + int64_t(backoff.next() * double(os::kNanos));
  if (!ends)
    warnings.warn(home, op->desc, lastProblem + "; it tries again");
  owner.failed(lastProblem);
}

/// The broker has answered to CONNECT.
void Client::answered(int code) {
  if (code == 0) {
    state = State::Connected;
    failures = 0;
    backoff.reset();
    isConnectedMetric->value.store(1, std::memory_order_relaxed);
    owner.connected();
    return;
  }
  // 3: the server is unavailable; all others do not change by themselves.
  lost(lib->mosquitto_connack_string(code), code != 3);
}

/// Begins to see whether the broker is there: mosquitto_connect() would wait for it.
void Client::begin() {
  if (sl_now(home) < due)
    return;
  std::vector<net::Address> addresses;
  net::Problem wrong = resolve(place.endpoint, net::Use::Stream, false, addresses);
  if (!wrong.empty())
    return lost(wrong);
  // Attempts take one address after the other.
  const net::Address &address = addresses[attempts++ % addresses.size()];
  if (int error = beginConnect(address, {}, attempt))
    return lost(net::problemOf(error));
  state = State::Probing;
  deadline = sl_now(home) + kPatience;
}

void Client::probe() {
  int error = 0;
  net::Progress progress = net::progressOf(attempt, error);
  if (progress == net::Progress::Going && sl_now(home) < deadline)
    return;
  if (progress != net::Progress::Done)
    return lost(progress == net::Progress::Failed ? net::problemOf(error) : "no answer");
  attempt.close();
  lastLog.clear();
  state = State::Connecting;
  deadline = sl_now(home) + kPatience;
  int result = lib->mosquitto_connect(handle, place.endpoint.host.c_str(),
                                      atoi(place.endpoint.port.c_str()), keepAlive);
  if (result != MOSQ_ERR_SUCCESS)
    lost(lastLog.empty() ? lib->mosquitto_strerror(result) : lastLog);
}

/// Takes what has come, and sends what is to be sent.
void Client::converse() {
  int socket = lib->mosquitto_socket(handle);
  pollfd ready{socket, short(POLLIN | (lib->mosquitto_want_write(handle) ? POLLOUT : 0)), 0};
  int result = socket < 0 ? int(MOSQ_ERR_CONN_LOST) : int(MOSQ_ERR_SUCCESS);
  for (int i = 0; i < kPackets && result == MOSQ_ERR_SUCCESS && poll(&ready, 1, 0) > 0; ++i) {
    if (ready.revents & POLLOUT) // before answers to what is read now: see answersLater
      result = lib->mosquitto_loop_write(handle, 1);
    if (result == MOSQ_ERR_SUCCESS && ready.revents & ~POLLOUT)
      result = lib->mosquitto_loop_read(handle, 1);
    ready.events = POLLIN; // what cannot be written now is written by the next step
  }
  if (result == MOSQ_ERR_SUCCESS)
    result = lib->mosquitto_loop_misc(handle);
  bool isLate = state == State::Connecting && sl_now(home) >= deadline;
  if (state != State::Connecting && state != State::Connected)
    return; // the broker has refused it
  if (result != MOSQ_ERR_SUCCESS)
    lost(lastLog.empty() ? lib->mosquitto_strerror(result) : std::exchange(lastLog, ""));
  else if (isLate)
    lost("no answer");
}

bool Client::step() {
  switch (state) {
  case State::Idle:
    begin();
    break;
  case State::Probing:
    probe();
    break;
  case State::Connecting:
  case State::Connected:
    converse();
    break;
  case State::Ended:
    break;
  }
  return state != State::Ended;
}

int Client::descriptor() {
  bool isProbing = state == State::Probing;
  bool talks = state == State::Connecting || state == State::Connected;
  int socket = isProbing ? attempt.descriptor() : talks ? lib->mosquitto_socket(handle) : -1;
  bool writes = isProbing || (talks && lib->mosquitto_want_write(handle));
  epoll_event event = {};
  event.events = EPOLLIN | (writes ? uint32_t(EPOLLOUT) : 0);
  event.data.fd = socket;
  // One that was closed is in the set no more; another may have its number.
  if (watched >= 0 && watched != socket)
    epoll_ctl(waits, EPOLL_CTL_DEL, watched, nullptr);
  if (socket >= 0 && epoll_ctl(waits, EPOLL_CTL_MOD, socket, &event))
    epoll_ctl(waits, EPOLL_CTL_ADD, socket, &event);
  watched = socket;
  itimerspec soon = {};
  soon.it_value.tv_nsec = os::kNanos / 10;
  timerfd_settime(timer, 0, &soon, nullptr); // what had expired is forgotten
  return waits;
}

/// Gives the handle up, with all that is in it.
void Client::leave() {
  if (!handle)
    return;
  close();
  lib->mosquitto_destroy(std::exchange(handle, nullptr));
  attempt.close();
  isConnectedMetric->value.store(0, std::memory_order_relaxed);
  state = State::Idle;
  due = failures = 0;
  attempts = 0;
  backoff.reset();
}

void Client::close() {
  if (state != State::Connected)
    return;
  // Behind answers that wait: one may be for a message that arrived() has not taken, or that the
  // operator could not hand on. Without them the broker sends the messages again.
  bool isLeftOpen = answersLater && wantsToWrite();
  if (!isLeftOpen) {
    lib->mosquitto_disconnect(handle);
    lib->mosquitto_loop_write(handle, 1);
  }
  state = State::Ended;
}

} // namespace sluice::mqtt
