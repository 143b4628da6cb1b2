//===- JobFile.cpp - reads job.toml ---------------------------------------===//
#include "runtime/exec/job/JobFile.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/job/Token.h"
#include "runtime/remote/peer/Socket.h"
#include <algorithm>
#include <charconv>
#include <filesystem>
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace sluice {

namespace {
class Reader {
public:
  Reader(const std::string &file, Job &job) : file(file), job(job) {}
  std::string read();

private:
  std::string wrong(const toml::source_position &at, const std::string &what) const;
  std::string wrong(const toml::node &node, const std::string &what) const {
    return wrong(node.source().begin, what);
  }
  const toml::node *find(const char *key) const { return table.get(key); }
  std::string readId();
  std::string readToken();
  std::string readAddress(const toml::node &);
  std::string readAddresses();
  std::string besideFile(const std::string &path) const {
    return (std::filesystem::path(file).parent_path() / path).string();
  }

  const std::string &file;
  Job &job;
  std::string text; // of the file
  toml::table table;
};
} // namespace

/// "job.toml:2:7: error: what", the line, and a caret.
std::string Reader::wrong(const toml::source_position &at, const std::string &what) const {
  uint32_t line = std::max(at.line, 1u), column = std::max(at.column, 1u);
  size_t from = 0;
  for (uint32_t i = 1; i < line; ++i)
    from = std::min(text.find('\n', from), text.size() - 1) + 1;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what + "\n    " +
         text.substr(from, text.find('\n', from) - from) + "\n    " + std::string(column - 1, ' ') +
         "^";
}

std::string Reader::readId() {
  const toml::node *node = find("id");
  if (!node)
    return wrong({1, 1}, "`id` is missing, like id = \"7d43b07c2d1e9f00\"");
  auto value = node->value_exact<std::string>();
  const char *end = value ? value->data() + value->size() : nullptr;
  if (!value || value->empty() ||
      std::from_chars(value->data(), end, job.id, 16) != std::from_chars_result{end, std::errc()})
    return wrong(*node, "`id` is a text of up to 16 hexadecimal digits");
  return "";
}

std::string Reader::readToken() {
  const toml::node *node = find("token-file");
  if (!node)
    return wrong({1, 1}, "`token-file` is missing: the file of the secret by which the PEs know "
                         "each other; `sluice job` makes one");
  auto name = node->value_exact<std::string>();
  if (!name || name->empty())
    return wrong(*node, "`token-file` is the name of a file");
  std::string problem = readTokenFile(besideFile(*name), job.token);
  return problem.empty() ? "" : wrong(*node, problem);
}

std::string Reader::readAddress(const toml::node &node) {
  auto value = node.value_exact<std::string>();
  auto address = value ? remote::parseAddress(*value) : std::nullopt;
  if (!address || (address->path.empty() && !address->port))
    return wrong(node, "an address of a PE is \"HOST:PORT\" or \"unix:PATH\"");
  if (address->host == "0.0.0.0" || address->host == "::")
    return wrong(node, "the other PEs connect to this address: it names one host, not all");
  if (!address->path.empty())
    address->path = besideFile(address->path);
  std::string full = toText(*address);
  if (std::ranges::find(job.addresses, full) != job.addresses.end())
    return wrong(node, "two PEs have this address");
  job.addresses.push_back(full);
  return "";
}

std::string Reader::readAddresses() {
  const toml::node *node = find("pes");
  if (!node)
    return wrong({1, 1}, "`pes` is missing: the addresses of the PEs, like pes = [\"a:7400\", "
                         "\"b:7401\"]");
  const toml::array *list = node->as_array();
  if (!list || list->empty())
    return wrong(*node, "`pes` is a list of addresses, like [\"a:7400\", \"b:7401\"]");
  for (const toml::node &each : *list)
    if (std::string problem = readAddress(each); !problem.empty())
      return problem;
  return "";
}

std::string Reader::read() {
  int fd = os::openFile(file.c_str(), os::Open::Read);
  char bytes[4096];
  int64_t n = fd;
  while (fd >= 0 && (n = os::readFile(fd, bytes, sizeof bytes)) > 0)
    text.append(bytes, size_t(n));
  if (fd >= 0)
    os::closeFile(fd);
  if (n < 0)
    return file + ": " + os::errorText(int(-n));
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return wrong(parsed.error().source().begin, std::string(parsed.error().description()));
  table = std::move(parsed).table();
  for (auto &&[key, node] : table)
    if (key != "id" && key != "token-file" && key != "pes")
      return wrong(key.source().begin, "unknown key `" + std::string(key.str()) +
                                           "`: there are id, token-file and pes");
  std::string problem = readId();
  if (problem.empty())
    problem = readToken();
  return problem.empty() ? readAddresses() : problem;
}

std::string readJobFile(const std::string &file, Job &job) { return Reader(file, job).read(); }

} // namespace sluice
