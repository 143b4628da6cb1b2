//===- NewJobFile.cpp - writes job.toml -----------------------------------===//
#include "runtime/base/os.h"
#include "runtime/exec/job/JobFile.h"
#include "runtime/exec/job/Token.h"
#include "runtime/remote/peer/Socket.h"
#include <cstdio>
#include <filesystem>

namespace sluice {

/// The port of PE 0, if none is given. Each PE has one of its own: hosts may be the same.
static constexpr uint32_t kFirstPort = 7400;

/// Where PE 0 would be, on each host.
static std::string parseHosts(const std::string &hosts, std::vector<remote::Address> &to) {
  for (size_t at = 0; at <= hosts.size();) {
    size_t comma = std::min(hosts.find(',', at), hosts.size());
    std::string host = hosts.substr(at, comma - at);
    at = comma + 1;
    auto address = remote::parseAddress(host);
    if (!address)
      address = remote::parseAddress(host + ":" + std::to_string(kFirstPort));
    bool isName = host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789.-_:[]%") == host.npos;
    if (!isName || !address || !address->path.empty())
      return "'" + host + "' is no host: HOST or HOST:PORT, where PORT is that of PE 0";
    to.push_back(*address);
  }
  return "";
}

static std::string textOf(const Job &job, const std::string &tokenFile,
                          const std::string &program) {
  char id[17];
  snprintf(id, sizeof id, "%016llx", static_cast<unsigned long long>(job.id));
  std::string text = "# Where the PEs of " + program +
                     " are. PE 0 is started with: PROGRAM --pe=0 --job=FILE, and so on.\n"
                     "# Each host needs the program, this file and, readable by the user alone, "
                     "the token.\n";
  text += "id = \"" + std::string(id) + "\"\ntoken-file = \"" + tokenFile + "\"\npes = [\n";
  for (size_t pe = 0; pe < job.addresses.size(); ++pe)
    text += "  \"" + job.addresses[pe] + "\", # PE " + std::to_string(pe) + "\n";
  return text + "]\n";
}

std::string writeJobFile(const std::string &file, const std::string &hosts, uint32_t pes,
                         const std::string &program) {
  Job job = newJob();
  std::vector<remote::Address> first;
  if (std::string problem = parseHosts(hosts, first); !problem.empty())
    return problem;
  for (uint32_t pe = 0; pe < pes; ++pe) {
    remote::Address address = first[pe % first.size()];
    if (address.port + pe > UINT16_MAX)
      return "there are no ports above " + std::to_string(UINT16_MAX) + ": give a lower one";
    address.port = uint16_t(address.port + pe);
    job.addresses.push_back(toText(address));
  }
  std::filesystem::path beside = file.empty() ? "job.toml" : file;
  std::string token = beside.stem().string() + ".token";
  std::string tokenPath = (beside.parent_path() / token).string();
  if (std::string problem = makeTokenFile(tokenPath, job.token); !problem.empty())
    return problem;
  std::string text = textOf(job, token, program);
  int fd = file.empty() ? 1 : os::openFile(file.c_str(), os::Open::Truncate);
  int result = fd < 0 ? fd : os::writeFile(fd, text.data(), text.size());
  if (fd > 1)
    os::closeFile(fd);
  if (result < 0)
    return (file.empty() ? "standard output" : file) + ": " + os::errorText(-result);
  fprintf(stderr,
          "The token of the job is in %s: it is a secret. Copy it to each host, with mode 600.\n",
          tokenPath.c_str());
  return "";
}

} // namespace sluice
