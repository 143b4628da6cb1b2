//===- JobFunctions.cpp - the job, its host and configurations --*- C++ -*-===//
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"
#include "stdlib/native/Library.h"
#include "stdlib/native/jobs/AppConfig.h"
#include "stdlib/native/jobs/Names.h"
#include "value/Text.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <pwd.h>
#include <unistd.h>

using namespace sluice;

static int32_t text(Ctx *ctx, Str *result, std::string_view s) {
  *result = keepText(ctx, s.data(), s.size());
  return 0;
}

//===--- the job ------------------------------------------------------------------===//

/// A program of one process is job 0.
static uint64_t jobOf(Ctx *ctx) {
  const Job *job = ctx->program->options.job;
  return job ? job->id : 0;
}

extern "C" int32_t sl_jobID_(Ctx *ctx, uint64_t *result) {
  *result = jobOf(ctx);
  return 0;
}
extern "C" int32_t sl_PEID_(Ctx *ctx, uint64_t *result) {
  int pe = ctx->program->options.pe;
  *result = pe < 0 ? 0 : uint64_t(pe);
  return 0;
}
extern "C" int32_t sl_getApplicationName_(Ctx *ctx, Str *result) {
  return text(ctx, result, ctx->program->desc.mainName);
}
const char *sluice::programName(const Ctx *ctx) { return ctx->program->desc.mainName; }

extern "C" int32_t sl_getJobName_(Ctx *ctx, Str *result) {
  return text(ctx, result,
              std::string(ctx->program->desc.mainName) + "_" + std::to_string(jobOf(ctx)));
}
extern "C" int32_t sl_getJobGroup_(Ctx *ctx, Str *result) { return text(ctx, result, "default"); }

/// There is no instance and no domain but that of the user.
extern "C" int32_t sl_instanceID_(Ctx *ctx, Str *result) {
  char buffer[4096];
  passwd entry, *found = nullptr;
  getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found);
  return text(ctx, result, found ? found->pw_name : std::to_string(geteuid()));
}
extern "C" int32_t sl_domainID_(Ctx *ctx, Str *result) { return sl_instanceID_(ctx, result); }

//===--- the host -----------------------------------------------------------------===//

static std::string hostName() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

extern "C" int32_t sl_getShortHostName_(Ctx *ctx, Str *result) {
  std::string name = hostName();
  return text(ctx, result, name.substr(0, name.find('.')));
}
extern "C" int32_t sl_getConfiguredHostName_(Ctx *ctx, Str *result) {
  return text(ctx, result, hostName());
}

/// Of the first network that is not this machine alone.
extern "C" int32_t sl_getIPAddress_(Ctx *ctx, Str *result) {
  std::string found = "127.0.0.1";
  ifaddrs *all = nullptr;
  getifaddrs(&all);
  for (ifaddrs *each = all; each; each = each->ifa_next) {
    bool isUsable = each->ifa_addr && each->ifa_addr->sa_family == AF_INET &&
                    each->ifa_flags & IFF_UP && !(each->ifa_flags & IFF_LOOPBACK);
    char digits[INET_ADDRSTRLEN];
    if (!isUsable)
      continue;
    auto *address = reinterpret_cast<sockaddr_in *>(each->ifa_addr);
    if (inet_ntop(AF_INET, &address->sin_addr, digits, sizeof digits))
      found = digits;
    break;
  }
  freeifaddrs(all);
  return text(ctx, result, found);
}

//===--- configurations -----------------------------------------------------------===//

/// 0; or 1 after sl_error, where there is one that cannot be used.
static int32_t find(Ctx *ctx, const Str *name, AppConfig &config) {
  config = appConfig(std::string(viewOf(*name)));
  return config.problem.empty()
             ? 0
             : sl_error(ctx, "the application configuration: %s", config.problem.c_str());
}

/// What getApplicationConfiguration() makes a map of.
SL(configurationPairs, ri)(Ctx *ctx, Seq *result, const Str *name, int32_t *error) {
  AppConfig config;
  if (find(ctx, name, config))
    return 1;
  *error = config.properties ? 0 : -1;
  *result = {};
  if (!config.properties)
    return 0;
  *result = scratchList(ctx, 2 * config.properties->size(), sizeof(Str));
  Str *next = listData<Str>(*result);
  for (const auto &[key, value] : *config.properties) {
    *next++ = keepText(ctx, key.data(), key.size());
    *next++ = keepText(ctx, value.data(), value.size());
  }
  return 0;
}

SL(getApplicationConfigurationProperty, rri)(Ctx *ctx, Str *result, const Str *name,
                                             const Str *property, int32_t *error) {
  *result = {};
  AppConfig config;
  if (find(ctx, name, config))
    return 1;
  *error = config.properties ? -2 : -1;
  if (!config.properties)
    return 0;
  auto found = config.properties->find(viewOf(*property));
  if (found == config.properties->end())
    return 0;
  *error = 0;
  return text(ctx, result, found->second);
}

SL(getApplicationConfigurationProperty, rrr)(Ctx *ctx, Str *result, const Str *name,
                                             const Str *property, const Str *otherwise) {
  int32_t error = 0;
  if (sl_getApplicationConfigurationProperty_rri(ctx, result, name, property, &error))
    return 1;
  if (error)
    *result = *otherwise;
  return 0;
}

//===--- temporary files ----------------------------------------------------------===//

SL(mktemp, r)(Ctx *ctx, Str *result, const Str *pattern) {
  std::string name(viewOf(*pattern));
  int file = mkstemp(name.data());
  if (file < 0)
    name.clear();
  else
    close(file);
  return text(ctx, result, name);
}
