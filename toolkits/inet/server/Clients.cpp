//===- Clients.cpp - WebSockets -------------------------------------------===//
#include "toolkits/inet/server/Beast.h"
#include <chrono>

namespace sluice::inet {

/// A connection.
class WebClient : public std::enable_shared_from_this<WebClient> {
public:
  WebClient(Stream connection, std::shared_ptr<Group> of)
      : who(connection.peer()), stream(std::move(connection)), group(std::move(of)) {}
  void accept(const http::request<http::string_body> &);
  /// Under the lock of the group: how many were dropped for it.
  uint64_t push(const SharedMessage &);
  void readOn();
  void close();

  const std::string who;
  // Guarded by the lock of the group.
  std::deque<SharedMessage> waiting;
  size_t waitingBytes = 0;
  bool isWriting = false, isOpen = false; // open: it has answered, and may send

private:
  void read();
  void begin();
  void write();
  void gone();
  void drop();

  websocket::stream<Stream> stream;
  std::shared_ptr<Group> group;
  http::request<http::string_body> request; // as long as it accepts
  beast::flat_buffer received;
  SharedMessage current; // that is written
  bool isStalled = false, isThere = false, isClosing = false;
};

void WebClient::accept(const http::request<http::string_body> &asked) {
  request = asked;
  stream.next_layer().expireAfter(0); // the stream has times of its own
  auto times = websocket::stream_base::timeout::suggested(beast::role_type::server);
  times.handshake_timeout = std::chrono::seconds(Server::kRequestSeconds);
  if (group->takesMessages()) // it may be that nobody reads for long
    times.idle_timeout = websocket::stream_base::none();
  stream.set_option(times);
  stream.read_message_max(Server::kMostMessage);
  stream.async_accept(request, [self = shared_from_this()](Error error) {
    self->request = {};
    if (error)
      return self->drop();
    self->isThere = true;
    self->begin();
    {
      std::lock_guard guard(self->group->hookLock);
      if (self->group->hooks.changed)
        self->group->hooks.changed(*self->group, self->who, true);
    }
    self->read();
  });
}

//===--- what it sends --------------------------------------------------------===//

void WebClient::read() {
  stream.async_read(received, [self = shared_from_this()](Error error, size_t) {
    if (error)
      return self->gone();
    Message message = {beast::buffers_to_string(self->received.data()), !self->stream.got_text()};
    self->received.consume(self->received.size());
    bool hasRoom = true;
    {
      std::lock_guard guard(self->group->hookLock);
      if (self->group->hooks.received)
        hasRoom = self->group->hooks.received(std::move(message), self->who);
    }
    if (hasRoom)
      self->read();
    else
      self->isStalled = true;
  });
}

void WebClient::readOn() {
  if (std::exchange(isStalled, false))
    read();
}

//===--- what it gets ---------------------------------------------------------===//

uint64_t WebClient::push(const SharedMessage &message) {
  uint64_t dropped = 0;
  size_t size = message->text.size();
  while (!waiting.empty() && (waiting.size() >= Server::kMostWaiting ||
                              waitingBytes + size > Server::kMostWaitingBytes)) {
    waitingBytes -= waiting.front()->text.size();
    waiting.pop_front();
    ++dropped;
  }
  waiting.push_back(message);
  waitingBytes += size;
  if (isOpen && !std::exchange(isWriting, true))
    asio::post(stream.get_executor(), [self = shared_from_this()] { self->write(); });
  return dropped;
}

/// Sends what has come while it was being accepted.
void WebClient::begin() {
  {
    std::lock_guard guard(group->lock);
    isOpen = true;
    isWriting = true;
  }
  write();
}

void WebClient::write() {
  {
    std::lock_guard guard(group->lock);
    if (waiting.empty() || isClosing) {
      isWriting = false;
      group->changes.notify_all();
      return;
    }
    current = std::move(waiting.front());
    waiting.pop_front();
    waitingBytes -= current->text.size();
  }
  stream.binary(current->isBinary);
  stream.async_write(asio::buffer(current->text), [self = shared_from_this()](Error error, size_t) {
    if (error)
      return self->gone();
    {
      std::lock_guard guard(self->group->hookLock);
      if (self->group->hooks.sent)
        self->group->hooks.sent(1);
    }
    self->write();
  });
}

//===--- its end --------------------------------------------------------------===//

void WebClient::close() {
  if (std::exchange(isClosing, true))
    return;
  if (!isThere)
    return drop();
  bool writes;
  {
    std::lock_guard guard(group->lock);
    writes = isWriting;
  }
  if (writes) { // it does not read: it hears of the end when it does
    stream.next_layer().close();
    return gone();
  }
  stream.async_close({websocket::close_code::going_away, "the program has ended"},
                     [self = shared_from_this()](Error) { self->gone(); });
}

/// Takes it off the list.
void WebClient::drop() {
  std::lock_guard guard(group->lock);
  group->clients.erase(shared_from_this());
  group->changes.notify_all();
}

void WebClient::gone() {
  bool wasThere = std::exchange(isThere, false);
  auto self = shared_from_this();
  drop();
  std::lock_guard guard(group->hookLock);
  if (wasThere && group->hooks.changed)
    group->hooks.changed(*group, who, false);
}

//===--- the clients of a path ------------------------------------------------===//

bool Group::accept(Stream stream, const http::request<http::string_body> &request) {
  auto client = std::make_shared<WebClient>(std::move(stream), shared_from_this());
  {
    std::lock_guard guard(lock);
    if (hasEnded || clients.size() >= Server::kMostClients)
      return false;
    clients.insert(client);
  }
  client->accept(request);
  return true;
}

void Group::send(const SharedMessage &message) {
  uint64_t dropped = 0;
  {
    std::lock_guard guard(lock);
    for (const auto &client : clients)
      dropped += client->push(message);
  }
  if (dropped && hooks.dropped) // does not change before end()
    hooks.dropped(dropped);
}

void Group::readOn() {
  asio::post(io, [self = shared_from_this()] {
    std::set<std::shared_ptr<WebClient>> all;
    {
      std::lock_guard guard(self->lock);
      all = self->clients;
    }
    for (const auto &client : all)
      client->readOn();
  });
}

/// Under the lock.
bool Group::isIdle() const {
  for (const auto &client : clients)
    if (client->isWriting)
      return false;
  return true;
}

uint64_t Group::end(double seconds) {
  uint64_t unsent = 0;
  std::unique_lock held(lock);
  hasEnded = true;
  changes.wait_for(held, std::chrono::duration<double>(seconds), [this] { return isIdle(); });
  for (const auto &client : clients)
    unsent += client->waiting.size() + client->isWriting;
  asio::post(io, [self = shared_from_this()] {
    std::set<std::shared_ptr<WebClient>> all;
    {
      std::lock_guard guard(self->lock);
      all = self->clients;
    }
    for (const auto &client : all)
      client->close();
  });
  changes.wait_for(held, std::chrono::seconds(1), [this] { return clients.empty(); });
  held.unlock();
  std::lock_guard guard(hookLock);
  hooks = {};
  return unsent;
}

} // namespace sluice::inet
