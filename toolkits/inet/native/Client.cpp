//===- Client.cpp - HTTP requests, one after the other --------------------===//
#include "toolkits/inet/native/Client.h"
#include "runtime/base/os.h"
#include "toolkits/inet/native/Address.h"
#include <algorithm>
#include <cctype>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::inet {

/// A request that is under way.
struct Client::Running {
  ~Running() {
    lib.curl_slist_free_all(headers);
    lib.curl_slist_free_all(connects);
  }
  void add(curl_slist *&list, const std::string &text) {
    if (curl_slist *longer = lib.curl_slist_append(list, text.c_str()))
      list = longer;
  }

  const Library &lib;
  CURL *easy;
  const TakeBody &take;
  Answer answer = {};
  size_t headerBytes = 0;
  bool isTooLong = false;
  curl_slist *headers = nullptr, *connects = nullptr;
  char error[CURL_ERROR_SIZE] = {};
};

/// Whether the line is the header of this name.
static bool isNamed(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), [](unsigned char a, unsigned char b) {
           return std::tolower(a) == std::tolower(b);
         });
}

static bool names(const std::vector<std::string> &headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const std::string &header) { return isNamed(header, name); });
}

std::string Answer::header(std::string_view name) const {
  for (const std::string &header : headers)
    if (isNamed(header, name)) {
      size_t begin = header.find_first_not_of(" \t", name.size() + 1);
      return begin == std::string::npos ? "" : header.substr(begin);
    }
  return "";
}

//===--- at the start and at the end ------------------------------------------===//

int32_t Client::open(Ctx *ctx, const Settings &all) {
  std::string missing;
  if (!(lib = library(missing)))
    return sl_error(ctx, "%s", missing.c_str());
  settings = all;
  sockets = epoll_create1(EPOLL_CLOEXEC);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  epoll_event event = {EPOLLIN, {.fd = timer}};
  if (sockets < 0 || timer < 0 || epoll_ctl(sockets, EPOLL_CTL_ADD, timer, &event))
    return sl_error(ctx, "no descriptors for requests: %s", os::errorText(errno).c_str());
  multi = lib->curl_multi_init();
  easy = lib->curl_easy_init();
  if (!multi || !easy)
    return sl_error(ctx, "libcurl has no memory");
  lib->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &Client::watchSocket);
  lib->curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  lib->curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &Client::setTimer);
  lib->curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  lib->curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 64L);
  return 0;
}

Client::~Client() {
  if (easy)
    lib->curl_easy_cleanup(easy);
  if (multi)
    lib->curl_multi_cleanup(multi);
  for (int descriptor : {sockets, timer})
    if (descriptor >= 0)
      ::close(descriptor);
}

//===--- a request ------------------------------------------------------------===//

void Client::prepareUser(const Request &request, Running &running) {
  auto user = settings.users.find(hostOf(request.url));
  if (user == settings.users.end())
    user = settings.users.find(Settings::kAnyHost);
  bool isOwn = !request.user.empty();
  if (isOwn || user != settings.users.end()) {
    const std::string &name = isOwn ? request.user : user->second.name;
    const std::string &password = isOwn ? request.password : user->second.password;
    if (request.region.empty())
      lib->curl_easy_setopt(easy, CURLOPT_HTTPAUTH, long(CURLAUTH_BASIC));
    lib->curl_easy_setopt(easy, CURLOPT_USERNAME, name.c_str());
    lib->curl_easy_setopt(easy, CURLOPT_PASSWORD, password.c_str());
  }
  if (!request.region.empty()) {
    std::string signature = "aws:amz:" + request.region + ":s3";
    lib->curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, signature.c_str());
    lib->curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    if (request.method != "GET") { // whose answer waits for the program
      lib->curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
      lib->curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 60L);
    }
    // By itself libcurl signs the name without the port, which it sends.
    running.add(running.headers, "Host: " + authorityOf(request.url));
  }
  const std::string &token = request.token.empty() ? settings.token : request.token;
  const std::string &type = request.tokenType.empty() ? settings.tokenType : request.tokenType;
  if (!token.empty())
    running.add(running.headers, "Authorization: " + type + " " + token);
}

void Client::prepareBody(const Request &request, Running &running) {
  const std::string &method = request.method;
  bool hasBody = method == "POST" || method == "PUT" || method == "PATCH";
  if (hasBody) {
    lib->curl_easy_setopt(easy, CURLOPT_POST, 1L);
    lib->curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
    lib->curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.size()));
    if (!names(settings.headers, "Content-Type") && !names(request.headers, "Content-Type"))
      running.add(running.headers, "Content-Type: " + request.contentType);
    if (request.region.empty())                // else it would be signed, and not sent
      running.add(running.headers, "Expect:"); // no round trip before the body
  }
  if (method == "HEAD")
    lib->curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  else if (method != "GET" && method != "POST")
    lib->curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
}

void Client::prepare(const Request &request, Running &running) {
  lib->curl_easy_reset(easy); // connections stay
  auto set = [&](CURLoption option, auto value) { lib->curl_easy_setopt(easy, option, value); };
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, settings.protocols);
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_FILETIME, 1L);
  set(CURLOPT_FOLLOWLOCATION, settings.followsRedirects ? 1L : 0L);
  set(CURLOPT_MAXREDIRS, 20L);
  set(CURLOPT_CONNECTTIMEOUT_MS,
      long((request.connectSeconds > 0 ? request.connectSeconds : settings.connectSeconds) * 1000));
  set(CURLOPT_TIMEOUT_MS, long(request.seconds * 1000));
  set(CURLOPT_USERAGENT, "sluice");
  set(CURLOPT_ERRORBUFFER, running.error);
  set(CURLOPT_HEADERFUNCTION, &Client::takeHeader);
  set(CURLOPT_HEADERDATA, &running);
  set(CURLOPT_WRITEFUNCTION, &Client::takeBody);
  set(CURLOPT_WRITEDATA, &running);
  if (settings.asksCompressed)
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  set(CURLOPT_TCP_KEEPALIVE, 1L); // a server that has vanished is noticed
  set(CURLOPT_TCP_KEEPIDLE, 30L);
  set(CURLOPT_TCP_KEEPINTVL, 10L);
  // By one that is reused libcurl sends again what had no answer.
  set(CURLOPT_FRESH_CONNECT, request.onlyOnce ? 1L : 0L);
  if (request.changedSince >= 0) {
    set(CURLOPT_TIMECONDITION, long(CURL_TIMECOND_IFMODSINCE));
    set(CURLOPT_TIMEVALUE_LARGE, curl_off_t(request.changedSince));
  }
  set(CURLOPT_SSL_VERIFYPEER, settings.acceptsAll ? 0L : 1L);
  set(CURLOPT_SSL_VERIFYHOST, settings.acceptsAll ? 0L : 2L);
  if (!settings.authorities.empty())
    set(CURLOPT_CAINFO, settings.authorities.c_str());
  if (!settings.certificate.empty()) {
    set(CURLOPT_SSLCERT, settings.certificate.c_str());
    set(CURLOPT_SSLKEY, settings.key.c_str());
    if (!settings.certificateType.empty())
      set(CURLOPT_SSLCERTTYPE, settings.certificateType.c_str());
    if (!settings.keyType.empty())
      set(CURLOPT_SSLKEYTYPE, settings.keyType.c_str());
    if (!settings.keyPassword.empty())
      set(CURLOPT_KEYPASSWD, settings.keyPassword.c_str());
  }
  if (!settings.proxy.empty())
    set(CURLOPT_PROXY, settings.proxy.c_str());
  if (const char *places = getenv("SLUICE_CONNECT_TO")) {
    running.add(running.connects, places);
    set(CURLOPT_CONNECT_TO, running.connects);
  }
  prepareUser(request, running);
  prepareBody(request, running);
  for (const std::vector<std::string> *list : {&std::as_const(settings.headers), &request.headers})
    for (const std::string &header : *list)
      running.add(running.headers, header);
  set(CURLOPT_HTTPHEADER, running.headers);
}

Answer Client::run(Ctx *ctx, const Request &request, double patience, const TakeBody &take) {
  Running running{*lib, easy, take};
  prepare(request, running);
  lib->curl_multi_add_handle(multi, easy);
  int count, left;
  lib->curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &count);
  CURLcode code = CURLE_ABORTED_BY_CALLBACK;
  for (;;) {
    if (CURLMsg *message = lib->curl_multi_info_read(multi, &left)) {
      code = message->data.result;
      break;
    }
    if (!await(ctx, patience)) {
      running.answer.isStopped = true;
      break;
    }
    step();
  }
  finish(code, running);
  lib->curl_multi_remove_handle(multi, easy);
  lib->curl_easy_reset(easy); // it points to `running` no longer
  return std::move(running.answer);
}

/// What became of it. Messages with times in them would always be new ones, so these are ours.
void Client::finish(CURLcode code, Running &running) {
  Answer &answer = running.answer;
  long unmet = 0, error = 0, sent = 0;
  curl_off_t changed = -1;
  lib->curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
  lib->curl_easy_getinfo(easy, CURLINFO_FILETIME_T, &changed);
  lib->curl_easy_getinfo(easy, CURLINFO_CONDITION_UNMET, &unmet);
  lib->curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  lib->curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
  const char *url = nullptr;
  lib->curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
  lib->curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME, &answer.seconds);
  answer.effectiveUrl = url ? url : "";
  answer.changed = changed;
  answer.isUnchanged = unmet || answer.status == 304;
  answer.wasSent = sent > 0;
  answer.code = code;
  if (code == CURLE_OK) {
    if (!answer.status) // of a file
      answer.status = 200;
    return;
  }
  bool hasTimes = code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT;
  answer.problem = *running.error && !hasTimes ? running.error : lib->curl_easy_strerror(code);
  if (code == CURLE_COULDNT_CONNECT && error)
    answer.problem += ": " + os::errorText(int(error));
  if (answer.isStopped)
    answer.problem = "the program has ended before the answer came";
  else if (running.isTooLong)
    answer.problem = "the answer is longer than 64 MiB, or its headers than 1 MiB";
}

//===--- what comes -----------------------------------------------------------===//

size_t Client::takeHeader(char *text, size_t size, size_t count, void *at) {
  auto &running = *static_cast<Running *>(at);
  Answer &answer = running.answer;
  std::string_view line(text, size * count);
  running.headerBytes += line.size();
  if ((running.isTooLong = running.headerBytes > kMostHeaders))
    return 0;
  while (line.ends_with('\n') || line.ends_with('\r'))
    line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    answer.statusLine = line;
    answer.headers.clear();
  } else if (!line.empty()) {
    answer.headers.emplace_back(line);
  }
  return size * count;
}

size_t Client::takeBody(char *text, size_t size, size_t count, void *at) {
  auto &running = *static_cast<Running *>(at);
  std::string_view part(text, size * count);
  if (running.take) {
    running.lib.curl_easy_getinfo(running.easy, CURLINFO_RESPONSE_CODE, &running.answer.status);
    return running.take(running.answer, part) ? part.size() : 0;
  }
  if ((running.isTooLong = running.answer.body.size() + part.size() > kMostBody))
    return 0;
  running.answer.body += part;
  return part.size();
}

//===--- waiting --------------------------------------------------------------===//

int Client::watchSocket(CURL *, curl_socket_t socket, int what, void *client, void *) {
  int all = static_cast<Client *>(client)->sockets;
  epoll_event event = {0, {.fd = socket}};
  event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
  if (what == CURL_POLL_REMOVE)
    epoll_ctl(all, EPOLL_CTL_DEL, socket, &event); // fails if it is closed, which is as good
  else if (epoll_ctl(all, EPOLL_CTL_MOD, socket, &event))
    epoll_ctl(all, EPOLL_CTL_ADD, socket, &event);
  return 0;
}

int Client::setTimer(CURLM *, long milliseconds, void *client) {
  itimerspec time = {};
  if (milliseconds >= 0) {
    time.it_value.tv_sec = milliseconds / 1000;
    time.it_value.tv_nsec =
        milliseconds % 1000 * 1000000 + (milliseconds == 0); // 0 would disarm it
  }
  return timerfd_settime(static_cast<Client *>(client)->timer, 0, &time, nullptr);
}

bool Client::isReadable(int64_t nanos) const {
  pollfd descriptor = {sockets, POLLIN, 0};
  return poll(&descriptor, 1, int(nanos / 1000000) + 1) > 0;
}

/// Waits until there is something to do. False: the program ends, and patience is over.
bool Client::await(Ctx *ctx, double patience) {
  if (waiting == Waiting::GivesWay && !sl_await_readable(ctx, sockets))
    return true;
  constexpr int64_t kLook = os::kNanos / 20; // how often it looks whether the program ends
  while (!sl_is_shutdown(ctx))
    if (isReadable(kLook))
      return true;
  int64_t now = sl_now(ctx);
  if (!endsAt)
    endsAt = now + int64_t(patience * double(os::kNanos));
  for (; now < endsAt; now = sl_now(ctx))
    if (isReadable(endsAt - now))
      return true;
  return false;
}

void Client::step() {
  epoll_event events[16];
  int running, count = epoll_wait(sockets, events, std::size(events), 0);
  for (int i = 0; i < count; ++i) {
    uint32_t what = events[i].events;
    if (events[i].data.fd == timer) {
      uint64_t times;
      (void)!read(timer, &times, sizeof times);
      lib->curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
      continue;
    }
    int mask = (what & EPOLLIN ? CURL_CSELECT_IN : 0) | (what & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (what & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    lib->curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
  }
}

} // namespace sluice::inet
