//===- console.cpp - fuzzing what the console is asked --------------------===//
//
// The console's own server and answers, over a socket. An input is a request as it is, the headers
// of one, or what a page with the token asks for. Who lacks the token sees nothing of the program,
// and the program is told nothing but the words that it knows.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/net/Endpoint.h"
#include "tools/console/Serve.h"
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::console;

static constexpr std::string_view kInside = "what only the job knows";

static void demand(bool holds) {
  if (!holds)
    abort();
}

static void checkWord(const std::string &word) {
  size_t blank = word.find(' ');
  std::string first = word.substr(0, blank);
  if (blank == word.npos)
    return demand(word == "pause" || word == "resume");
  demand(first == "tap" || first == "untap");
  demand(word.size() > blank + 1 &&
         word.find_first_not_of("0123456789", blank + 1) == std::string::npos);
}

namespace {
/// A console of a job that has said a few lines.
struct Console {
  Console() {
    options.job = 1;
    options.page.emplace();
    options.mayPause = options.mayTap = true;
    hub.add(-1, "{\"line\":\"header\",\"program\":\"" + std::string(kInside) + "\"}\n");
    hub.add(-1, "{\"line\":\"figures\",\"time\":1}\n");
    hub.setMetrics(-1, "# TYPE sluice info\n# HELP sluice " + std::string(kInside) +
                           "\nsluice_info 1\n");
    demand(serving.begin().empty());
    std::string said = serving.where();
    size_t colon = said.rfind(':', said.find('#')), key = said.find("#k=");
    port = uint16_t(atoi(said.c_str() + colon + 1));
    token = said.substr(key + 3, 64);
    demand(port && token.size() == 64);
  }
  Options options;
  Hub hub;
  Serving serving{options, hub, checkWord};
  uint16_t port = 0;
  std::string token;
};
} // namespace

/// Calls it until the clock of libFuzzer, a signal, does not interrupt it.
template <typename Call> static ssize_t again(Call call) {
  ssize_t result;
  do
    result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

/// What comes back for it.
static std::string ask(uint16_t port, std::string_view request) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  linger now = {1, 0}; // no port waits for its end
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  auto join = [&] { return ssize_t(connect(fd, reinterpret_cast<sockaddr *>(&at), sizeof at)); };
  demand(again(join) == 0 || errno == EISCONN); // it went on meanwhile
  while (!request.empty()) {
    ssize_t count = again([&] { return send(fd, request.data(), request.size(), MSG_NOSIGNAL); });
    if (count <= 0)
      break; // it was refused before all of it was there
    request.remove_prefix(size_t(count));
  }
  shutdown(fd, SHUT_WR);
  std::string reply;
  char bytes[4096];
  for (ssize_t count; (count = again([&] { return recv(fd, bytes, sizeof bytes, 0); })) > 0;)
    reply.append(bytes, size_t(count));
  close(fd);
  return reply;
}

/// A request of a page that has the token; the input chooses what and for what.
static std::string asPage(const std::string &token, uint8_t kind, std::string_view text) {
  static constexpr const char *kTargets[] = {"GET /lines?from=", "GET /lines?", "POST /do",
                                             "GET /metrics?",    "GET /",       "PUT /lines?"};
  std::string target = kTargets[kind % std::size(kTargets)];
  std::string request = target;
  if (target != "POST /do")
    for (char c : text.substr(0, 200))
      request += uint8_t(c) <= ' ' || uint8_t(c) >= 127 ? '%' : c;
  request += " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token;
  if (target == "POST /do")
    return request + "\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" +
           std::string(text);
  return request + "\r\n\r\n";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Console *const console = new Console; // its threads go on to the end
  if (!size)
    return 0;
  std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  bool knows = data[0] & 1;
  std::string request =
      knows         ? asPage(console->token, data[0] >> 1, text)
      : data[0] & 2 ? "GET /lines HTTP/1.1\r\nHost: localhost\r\n" + std::string(text) + "\r\n\r\n"
                    : std::string(text);
  std::string reply = ask(console->port, request);
  demand(reply.empty() || reply.starts_with("HTTP/1.1 "));
  if (!knows)
    demand(reply.find(kInside) == std::string::npos && reply.find(console->token) == reply.npos);
  return 0;
}
