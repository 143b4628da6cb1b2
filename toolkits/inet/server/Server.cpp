//===- Server.cpp - a web server in the program ---------------------------===//
#include "toolkits/inet/server/Server.h"
#include "runtime/base/process.h"
#include "stdlib/native/net/Listening.h"
#include "toolkits/inet/server/Beast.h"
#include "toolkits/inet/server/Paths.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <netinet/tcp.h>
#include <thread>

namespace sluice::inet {
namespace {

/// What is at a path.
struct Route {
  size_t mostBody = 0;
  AnswerFn answer;
  LaterHooks later;
  std::string folder; // of files below the path; empty: there is none
  std::shared_ptr<Group> group;
};

class Connection;

class WebServer : public Server, public std::enable_shared_from_this<WebServer> {
public:
  WebServer(bool isOpen, const net::TlsSettings &security)
      : isOpen(isOpen), security(security), acceptor(io), retry(io) {}
  ~WebServer() override;
  net::Problem listen(const std::string &address, uint16_t port);
  void run();

  uint16_t port() const override { return bound; }
  void answerTo(const std::string &host) override;
  bool serve(const std::string &path, size_t mostBody, AnswerFn) override;
  bool serveLater(const std::string &path, size_t mostBody, LaterHooks) override;
  bool answer(int64_t number, Reply) override;
  int64_t giveUp(const std::string &path) override;
  void serveFiles(const std::string &path, const std::string &folder) override;
  std::shared_ptr<Clients> serveClients(const std::string &path, ClientHooks) override;
  void stop(const std::string &path) override;

  /// What is at the path of a request. Its functions are called by `answerNow`.
  Route routeOf(std::string_view path);
  /// Nothing: the connection gets the answer later.
  std::optional<Reply> answerNow(const Asked &, std::shared_ptr<Connection>);
  /// A client waits no longer. Null: it has got its answer.
  std::shared_ptr<Connection> expire(int64_t number, bool isLate);
  void accept();
  /// An answer is being sent, or was.
  void count(int sending);
  /// Whether requests may have this Host, whatever the address at which it listens.
  bool isKnown(std::string_view host);

  const bool isOpen; // whether it listens beyond this machine
  const net::TlsSettings security;
  std::list<Connection *> connections; // the oldest first

private:
  struct Waiting {
    std::shared_ptr<Connection> who;
    std::string path; // of the route, which may be gone
    std::function<void(bool)> expired;
  };
  const std::pair<const std::string, Route> *find(std::string_view path) const;
  std::optional<Reply> ask(const std::pair<const std::string, Route> &, const Asked &,
                           std::shared_ptr<Connection>);
  Waiting take(int64_t number);

  net::Tls tls; // of all connections
  asio::io_context io;
  tcp::acceptor acceptor;
  asio::steady_timer retry; // of accepting
  uint16_t bound = 0;
  std::thread thread;
  int sends = 0; // answers that are being sent
  bool isEnding = false;
  std::mutex lock;   // guards what is below: held while an answer is made
  std::string alias; // of answerTo()
  std::map<std::string, Route, std::less<>> routes;
  std::map<int64_t, Waiting> waiting; // by their numbers
};

/// Numbers of requests: others than those before a restart, and exact in JSON.
int64_t nextNumber() {
  static std::atomic<int64_t> next = int64_t(os::secretBits() >> 13);
  return next.fetch_add(1, std::memory_order_relaxed); // nothing else depends on it
}

/// A connection, until it becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(WebServer &server, Stream stream)
      : server(server), stream(std::move(stream)),
        at(server.connections.insert(server.connections.end(), this)),
        patience(this->stream.get_executor()) {}
  ~Connection() { server.connections.erase(at); }
  void read();
  /// For another one.
  void close();
  /// Waits for the answer to a request.
  void await(int64_t number, double seconds);
  void answerLate(Reply);

private:
  void readBody();
  void answer();
  bool upgrade(const Route &);
  void send(Reply, bool keepsOpen);
  void drain();

  WebServer &server;
  Stream stream;
  std::list<Connection *>::iterator at;
  asio::steady_timer patience; // for an answer
  int64_t awaited = 0;         // the number of the request that is answered later
  beast::flat_buffer buffer;
  std::array<char, 4096> unread; // what nobody asks for
  std::optional<http::request_parser<http::string_body>> parser;
  http::response<http::string_body> response;
};

} // namespace

//===--- a connection ---------------------------------------------------------===//

static std::string textOf(beast::string_view text) { return {text.data(), text.size()}; }

static std::string pathOf(beast::string_view target) {
  std::string all = textOf(target);
  return all.substr(0, all.find_first_of("?#"));
}

void Connection::read() {
  parser.emplace();
  parser->header_limit(Server::kMostHeaders);
  parser->body_limit(boost::none); // readBody() sets it before any of the body is read
  stream.expireAfter(Server::kRequestSeconds);
  http::async_read_header(
      stream, buffer, *parser, [self = shared_from_this()](Error error, size_t) {
        if (error == http::error::header_limit)
          return self->send({431, "text/plain", "the header is too long\n"}, false);
        if (!error)
          return self->readBody();
        if (error.category() == http::make_error_code(http::error::bad_method).category() &&
            error != http::error::end_of_stream && error != http::error::partial_message)
          self->send({400, "text/plain", "this is no request\n"}, false);
      });
}

void Connection::readBody() {
  auto &head = parser->get();
  std::string_view host{head[http::field::host].data(), head[http::field::host].size()},
      origin{head[http::field::origin].data(), head[http::field::origin].size()};
  if (!maySend(host, origin, server.isKnown(host)))
    return send({403, "text/plain", "another host is meant, or a page of another one asks\n"},
                false);
  Route route = server.routeOf(pathOf(head.target()));
  if (websocket::is_upgrade(head)) {
    if (!upgrade(route))
      send({404, "text/plain", "no WebSocket is here, or it has as many clients as it may\n"},
           false);
    return;
  }
  parser->body_limit(route.mostBody);
  if (parser->content_length().value_or(0) > route.mostBody)
    return send(route.answer || route.later.asked
                    ? Reply{413, "text/plain", "the body is too long\n"}
                    : Reply{404, "text/plain", "nothing is here\n"},
                false);
  http::async_read(stream, buffer, *parser, [self = shared_from_this()](Error error, size_t) {
    if (error == http::error::body_limit)
      self->send({413, "text/plain", "the body is too long\n"}, false);
    else if (!error)
      self->answer();
  });
}

bool Connection::upgrade(const Route &route) {
  return route.group && route.group->accept(stream, parser->get());
}

void Connection::answer() {
  const auto &request = parser->get();
  std::string target = textOf(request.target());
  size_t question = target.find('?');
  Asked asked = {textOf(request.method_string()),
                 pathOf(request.target()),
                 question == std::string::npos ? "" : target.substr(question + 1),
                 textOf(request[http::field::content_type]),
                 request.body(),
                 textOf(request[http::field::authorization]),
                 textOf(request[http::field::accept]),
                 {},
                 !server.security.certificate.empty()};
  for (const auto &header : request)
    asked.headers.emplace_back(textOf(header.name_string()), textOf(header.value()));
  if (std::optional<Reply> reply = server.answerNow(asked, shared_from_this()))
    send(std::move(*reply), request.keep_alive());
}

void Connection::await(int64_t number, double seconds) {
  awaited = number;
  stream.expireAfter(0);
  if (seconds <= 0)
    return;
  seconds = std::min(1e9, seconds); // as clocks count
  patience.expires_after(std::chrono::microseconds(int64_t(seconds * 1e6)));
  patience.async_wait([self = shared_from_this(), number](Error error) {
    if (!error && self->server.expire(number, true))
      self->answerLate({408, "text/plain", "the program has given no answer in time\n"});
  });
}

void Connection::close() {
  auto self = shared_from_this(); // it may be that only who waits is known
  patience.cancel();
  stream.close();
  server.expire(awaited, false);
}

void Connection::answerLate(Reply reply) {
  patience.cancel();
  awaited = 0;
  send(std::move(reply), parser->get().keep_alive());
}

void Connection::send(Reply reply, bool keepsOpen) {
  bool isHead = parser->get().method() == http::verb::head;
  response = {http::status(reply.status), 11};
  if (!reply.reason.empty())
    response.reason(reply.reason);
  response.set(http::field::server, "sluice");
  if (!reply.contentType.empty())
    response.set(http::field::content_type, reply.contentType);
  response.set(http::field::cache_control, "no-cache, no-store, must-revalidate");
  response.set("X-Content-Type-Options", "nosniff");
  for (const auto &[name, value] : reply.headers)
    response.set(name, value);
  response.keep_alive(keepsOpen);
  if (reply.status != 204 && reply.status != 304) { // Beast throws at those with a body
    response.body() = std::move(reply.body);
    response.prepare_payload();
  }
  if (isHead)
    response.body().clear();
  stream.expireAfter(Server::kRequestSeconds);
  server.count(1);
  http::async_write(stream, response, [self = shared_from_this(), keepsOpen](Error error, size_t) {
    self->server.count(-1);
    if (!error && keepsOpen)
      return self->read();
    self->stream.endWriting();
    self->drain();
  });
}

/// Reads what the client still sends, until it closes or its time is over: what is unread when a
/// connection is closed resets it, and the answer may be lost with that.
void Connection::drain() {
  stream.async_read_some(asio::buffer(unread), [self = shared_from_this()](Error error, size_t) {
    if (!error)
      self->drain();
  });
}

//===--- the server -----------------------------------------------------------===//

net::Problem WebServer::listen(const std::string &address, uint16_t port) {
  if (!security.certificate.empty())
    if (net::Problem problem = tls.open(security); !problem.empty())
      return problem;
  net::Socket listening;
  net::Problem problem = net::listenAt({address, std::to_string(port), true}, {}, listening);
  if (!problem.empty())
    return problem;
  net::Numbers local = net::localEnd(listening);
  bound = uint16_t(local.port);
  Error error;
  acceptor.assign(local.host.find(':') == local.host.npos ? tcp::v4() : tcp::v6(),
                  listening.release(), error);
  return error ? error.message() : "";
}

/// Signals are for other threads.
void WebServer::run() {
  accept();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread = std::thread([this] { io.run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// What is being sent is sent, if clients take it in time.
WebServer::~WebServer() {
  asio::post(io, [this] {
    Error ignored;
    acceptor.close(ignored);
    isEnding = true;
    count(0);
    retry.expires_after(std::chrono::seconds(1));
    retry.async_wait([this](Error) { io.stop(); });
  });
  if (thread.joinable())
    thread.join();
}

void WebServer::count(int sending) {
  sends += sending;
  if (isEnding && !sends)
    io.stop();
}

void WebServer::accept() {
  acceptor.async_accept([this](Error error, tcp::socket socket) {
    if (error == asio::error::operation_aborted)
      return;
    if (error) { // no descriptors, say
      retry.expires_after(std::chrono::milliseconds(100));
      return retry.async_wait([this](Error stopped) {
        if (!stopped)
          accept();
      });
    }
    if (connections.size() >= kMostConnections)
      connections.front()->close();
    socket.set_option(tcp::no_delay(true), error);
    socket.set_option(asio::socket_base::keep_alive(true), error); // who has vanished makes room
    for (auto [option, seconds] : {std::pair(TCP_KEEPIDLE, 60), std::pair(TCP_KEEPINTVL, 10)})
      setsockopt(socket.native_handle(), IPPROTO_TCP, option, &seconds, sizeof seconds);
    std::make_shared<Connection>(*this, Stream(std::move(socket), tls))->read();
    accept();
  });
}

bool WebServer::serve(const std::string &path, size_t mostBody, AnswerFn answer) {
  std::lock_guard guard(lock);
  return routes.try_emplace(path, Route{mostBody, std::move(answer), {}, "", nullptr}).second;
}

void WebServer::serveFiles(const std::string &path, const std::string &folder) {
  std::lock_guard guard(lock);
  routes.try_emplace(path, Route{0, {}, {}, folder, nullptr}); // whoever was first has it
}

std::shared_ptr<Clients> WebServer::serveClients(const std::string &path, ClientHooks hooks) {
  auto group = std::make_shared<Group>(io, std::move(hooks));
  std::lock_guard guard(lock);
  return routes.try_emplace(path, Route{0, {}, {}, "", group}).second ? group : nullptr;
}

void WebServer::stop(const std::string &path) {
  std::lock_guard guard(lock);
  routes.erase(path);
}

/// What is at a path, or above it and serves all below. Under the lock.
const std::pair<const std::string, Route> *WebServer::find(std::string_view path) const {
  for (std::string_view at = path;; at = at.substr(0, at.rfind('/'))) {
    auto found = routes.find(at);
    if (found != routes.end() && (at == path || found->second.later.asked))
      return &*found;
    if (at.find('/') == at.npos)
      return nullptr;
  }
}

void WebServer::answerTo(const std::string &host) {
  std::lock_guard guard(lock);
  alias = hostIn(host);
}

bool WebServer::isKnown(std::string_view host) {
  std::lock_guard guard(lock);
  return isOpen || (!alias.empty() && hostIn(host) == alias);
}

Route WebServer::routeOf(std::string_view path) {
  std::lock_guard guard(lock);
  const auto *found = find(path);
  return found ? found->second : Route();
}

static Reply fileReply(const std::string &folder, std::string_view path) {
  std::string name = fileFor(folder, path);
  std::ifstream file(name, std::ios::binary);
  if (name.empty() || !file)
    return {404, "text/plain", "nothing is here\n"};
  return {200, contentTypeOf(name), std::string(std::istreambuf_iterator<char>(file), {})};
}

std::optional<Reply> WebServer::answerNow(const Asked &asked, std::shared_ptr<Connection> who) {
  std::lock_guard guard(lock);
  if (const auto *found = find(asked.path)) {
    if (found->second.answer)
      return found->second.answer(asked);
    if (found->second.later.asked)
      return ask(*found, asked, std::move(who));
  }
  for (const auto &[path, route] : routes) {
    bool isBelow = !route.folder.empty() && std::string_view(asked.path).starts_with(path) &&
                   (asked.path.size() == path.size() || asked.path[path.size()] == '/');
    if (isBelow && (asked.method == "GET" || asked.method == "HEAD"))
      return fileReply(route.folder, std::string_view(asked.path).substr(path.size()));
  }
  return Reply{404, "text/plain", "nothing is here\n"};
}

//===--- answers that come later ----------------------------------------------===//

bool WebServer::serveLater(const std::string &path, size_t mostBody, LaterHooks later) {
  std::lock_guard guard(lock);
  return routes.try_emplace(path, Route{mostBody, {}, std::move(later), "", nullptr}).second;
}

/// Under the lock.
std::optional<Reply> WebServer::ask(const std::pair<const std::string, Route> &at,
                                    const Asked &asked, std::shared_ptr<Connection> who) {
  const auto &[path, route] = at;
  int64_t number = nextNumber();
  if (!route.later.asked(asked, number))
    return Reply{503, "text/plain", "the program has no room for it now\n", {{"Retry-After", "1"}}};
  who->await(number, route.later.seconds);
  waiting[number] = {std::move(who), path, route.later.expired};
  return std::nullopt;
}

/// Who waits for an answer, and no longer does; or nobody. Under the lock.
WebServer::Waiting WebServer::take(int64_t number) {
  auto found = waiting.extract(number);
  return found ? std::move(found.mapped()) : Waiting();
}

/// Its own thread alone ends a connection: `who` is moved.
static void answerAt(asio::io_context &io, std::shared_ptr<Connection> &&who, Reply reply) {
  asio::post(io, [who = std::move(who), reply = std::move(reply)]() mutable {
    who->answerLate(std::move(reply));
  });
}

bool WebServer::answer(int64_t number, Reply reply) {
  std::lock_guard guard(lock);
  Waiting one = take(number);
  if (!one.who)
    return false;
  answerAt(io, std::move(one.who), std::move(reply));
  return true;
}

std::shared_ptr<Connection> WebServer::expire(int64_t number, bool isLate) {
  std::lock_guard guard(lock);
  Waiting one = take(number);
  if (one.who && one.expired)
    one.expired(isLate);
  return one.who;
}

int64_t WebServer::giveUp(const std::string &path) {
  std::lock_guard guard(lock);
  auto all = std::exchange(waiting, {});
  for (auto &[number, one] : all)
    if (one.path == path)
      answerAt(io, std::move(one.who), {503, "text/plain", "the program has ended\n"});
    else
      waiting.emplace(number, std::move(one));
  return int64_t(all.size() - waiting.size());
}

//===--- of this process ------------------------------------------------------===//

std::shared_ptr<Server> Server::at(const std::string &address, uint16_t port,
                                   const net::TlsSettings &security, std::string &problem) {
  static std::mutex lock;
  static std::map<std::pair<std::string, uint16_t>, std::weak_ptr<WebServer>> all;
  std::lock_guard guard(lock);
  if (auto there = port ? all[{address, port}].lock() : nullptr) {
    if (there->security == security)
      return there;
    problem = "another operator serves it with another keyStore, keyPassword or trustStore";
    return nullptr;
  }
  auto server = std::make_shared<WebServer>(!net::isLoopback(address), security);
  problem = server->listen(address, port);
  if (!problem.empty())
    return nullptr;
  server->run();
  all[{address, server->port()}] = server;
  return server;
}

} // namespace sluice::inet
