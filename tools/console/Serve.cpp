//===- Serve.cpp - what the console answers -------------------------------===//
#include "tools/console/Serve.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Json.h"
#include "runtime/trace/Lines.h"
#include "stdlib/native/net/Tls.h"
#include "toolkits/inet/server/Paths.h"
#include "tools/console/Families.h"
#include <charconv>
#include <cstdio>

namespace sluice::console {

extern const char *const kPage;        // of CMake: page/
static constexpr size_t kMostTaps = 4; // as runtime/exec/tap has it

/// Bits that nobody can guess, in hexadecimal digits: 64 of them a word.
static std::string secret(int words) {
  std::string token;
  for (int i = 0; i < words; ++i) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(os::secretBits()));
    token += digits;
  }
  return token;
}

/// In a time that does not depend on where they differ.
static bool isSame(std::string_view a, std::string_view b) {
  unsigned difference = unsigned(a.size() != b.size());
  for (size_t i = 0; i < a.size(); ++i)
    difference |= unsigned(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
  return !difference && !b.empty();
}

Serving::Serving(const Options &options, Hub &hub, std::function<void(const std::string &)> tell)
    : options(options), hub(hub), tell(std::move(tell)) {}

std::string Serving::serve(const Endpoint &at, std::shared_ptr<inet::Server> &server) {
  std::string where = at.address + ":" + std::to_string(at.port), problem;
  if (!net::isLoopback(at.address) && !options.mayListen)
    return "others could reach " + where + ": --allow-listen lets it listen there";
  server = inet::Server::at(at.address, at.port, net::TlsSettings(), problem);
  return server ? "" : "cannot listen at " + where + ": " + problem;
}

/// That of the file, or a new one. Empty, or what is wrong.
std::string Serving::readToken() {
  token = secret(4);
  const std::string &path = options.tokenFile;
  if (path.empty())
    return net::isLoopback(options.page->address)
               ? ""
               : "others could read the token where it is printed: --console-token=FILE names a "
                 "file of it";
  token.clear();
  int result = os::readPrivateFile(path, token);
  if (result == os::kNotPrivate)
    return path + " can be read by others, who could look then: chmod 600 " + path;
  if (result < 0)
    return path + ": " + os::errorText(-result);
  while (!token.empty() && (token.back() == '\n' || token.back() == ' '))
    token.pop_back();
  bool fits = token.size() == 64 && token.find_first_not_of("0123456789abcdef") == token.npos;
  return fits ? "" : path + " is no token: 64 hexadecimal digits, as `openssl rand -hex 32` prints";
}

std::string Serving::begin() {
  if (options.page) {
    if (std::string problem = serve(*options.page, pages); !problem.empty())
      return problem;
    if (std::string problem = readToken(); !problem.empty())
      return problem;
    if (!options.host.empty())
      pages->answerTo(options.host);
    pages->serve("/", 0, [this](const inet::Asked &) { return page(); });
    pages->serve("/lines", 0, [this](const inet::Asked &a) { return lines(a); });
    pages->serve("/do", 64, [this](const inet::Asked &a) { return command(a); });
    if (!options.metrics)
      pages->serve("/metrics", 0, [this](const inet::Asked &a) {
        return knows(a) ? metrics(a) : inet::Reply{401, "text/plain", "the token is wrong\n"};
      });
  }
  if (!options.metrics)
    return "";
  if (std::string problem = serve(*options.metrics, numbers); !problem.empty())
    return problem;
  bool isNew = numbers->serve("/metrics", 0, [this](const inet::Asked &a) { return metrics(a); });
  return isNew ? "" : "--console and --metrics need ports of their own";
}

std::string Serving::where() const {
  std::string text;
  auto url = [](const Endpoint &at, const inet::Server &server) {
    std::string host =
        at.address.find(':') == at.address.npos ? at.address : "[" + at.address + "]";
    return "http://" + host + ":" + std::to_string(server.port()) + "/";
  };
  if (pages)
    text += "console: " + url(*options.page, *pages) +
            (options.tokenFile.empty()
                 ? "#k=" + token
                 : "\ntoken: in " + options.tokenFile + "; it belongs behind #k= in that address") +
            "\n";
  if (numbers)
    text += "metrics: " + url(*options.metrics, *numbers) + "metrics\n";
  return text;
}

double Serving::sinceAsked() const {
  int64_t last = asked.load(std::memory_order_relaxed);
  return last ? double(os::now() - last) * 1e-9 : 1e9;
}

bool Serving::knows(const inet::Asked &asked) const {
  static constexpr std::string_view kScheme = "Bearer ";
  std::string_view given = asked.authorization;
  return given.starts_with(kScheme) && isSame(given.substr(kScheme.size()), token);
}

/// It runs the script and the style that know the nonce: its own.
inet::Reply Serving::page() const {
  static constexpr std::string_view kNonce = "%nonce%";
  std::string nonce = secret(2), text = kPage;
  for (size_t at = 0; (at = text.find(kNonce, at)) != text.npos;)
    text.replace(at, kNonce.size(), nonce);
  return {200,
          "text/html; charset=utf-8",
          std::move(text),
          {{"Content-Security-Policy",
            "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'; img-src data:; script-src 'nonce-" +
                nonce + "'; style-src 'nonce-" + nonce + "'"},
           {"Referrer-Policy", "no-referrer"},
           {"X-Frame-Options", "DENY"}}};
}

/// A line `hello`, and those from the number on that the query says: `from=N`.
inet::Reply Serving::lines(const inet::Asked &a) {
  if (!knows(a))
    return {401, "text/plain",
            "the token is wrong: it stands behind #k= in the console's address\n"};
  if (a.method != "GET")
    return {405, "text/plain", "only GET\n"};
  auto values = inet::formValues(a.query);
  auto from = values.find("from");
  uint64_t begin = from == values.end() ? 0 : strtoull(from->second.c_str(), nullptr, 10);
  bool ended = hasEnded.load(std::memory_order_relaxed); // before the lines are read
  uint64_t next = 0, lost = 0;
  std::string text = hub.since(begin, next, lost);
  asked.store(os::now(), std::memory_order_relaxed);
  Json json(Json::Style::Line);
  json.openElement('{');
  json.text("line", "hello");
  json.number("version", trace::kVersion);
  json.number("next", next);
  json.number("lost", lost);
  json.number("present", hub.present());
  json.flag("ended", ended);
  json.open("allows", '[');
  if (options.mayPause)
    json.element("pause");
  if (options.mayTap)
    json.element("tap");
  json.close();
  json.open("taps", '[');
  {
    std::lock_guard guard(lock);
    for (uint32_t port : taps)
      json.element(port);
  }
  json.close();
  json.close();
  return {200, "application/x-ndjson; charset=utf-8", std::move(json).finish() + text};
}

/// The body is a word for the job.
inet::Reply Serving::command(const inet::Asked &a) {
  if (!knows(a))
    return {401, "text/plain", "the token is wrong\n"};
  if (a.method != "POST")
    return {405, "text/plain", "only POST\n"};
  if (a.body.starts_with("tap ") || a.body.starts_with("untap "))
    return tap(a.body);
  if (a.body != "pause" && a.body != "resume")
    return {400, "text/plain", "there is no such command\n"};
  if (!options.mayPause)
    return {403, "text/plain", "this console only looks: --console-allow=pause lets it do more\n"};
  tell(a.body);
  return {200, "text/plain", "done\n"};
}

/// `tap PORT` or `untap PORT`.
inet::Reply Serving::tap(const std::string &body) {
  size_t blank = body.find(' ');
  uint32_t port = 0;
  const char *end = body.data() + body.size();
  if (auto [read, error] = std::from_chars(body.data() + blank + 1, end, port);
      error != std::errc() || read != end)
    return {400, "text/plain", "a tap needs the number of an input port\n"};
  if (!options.mayTap)
    return {403, "text/plain", "this console shows no tuples: --console-allow=tap lets it do so\n"};
  std::lock_guard guard(lock);
  if (body.starts_with("untap "))
    taps.erase(port);
  else if (taps.size() < kMostTaps)
    taps.insert(port);
  else
    return {409, "text/plain", "as many streams are looked at as may be: end one\n"};
  tell(body);
  return {200, "text/plain", "done\n"};
}

void Serving::endTaps() {
  std::lock_guard guard(lock);
  for (uint32_t port : taps)
    tell("untap " + std::to_string(port));
  taps.clear();
}

inet::Reply Serving::metrics(const inet::Asked &a) const {
  std::string text = mergeFamilies(hub.metrics());
  if (a.accept.find("application/openmetrics-text") != a.accept.npos)
    return {200, "application/openmetrics-text; version=1.0.0; charset=utf-8", text};
  return {200, "text/plain; version=0.0.4; charset=utf-8", toPlainFormat(text)};
}

} // namespace sluice::console
