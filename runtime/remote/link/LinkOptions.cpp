//===- LinkOptions.cpp - how the links of a job work ----------------------===//
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/base/Quantity.h"
#include "runtime/base/os.h"
#include <utility>

namespace sluice::remote {

/// The numbers of --transport-option.
static constexpr std::pair<std::string_view, uint32_t CreditOptions::*> kCredits[] = {
    {"ring", &CreditOptions::ring},
    {"grant", &CreditOptions::grant},
    {"window", &CreditOptions::window},
    {"low", &CreditOptions::low}};
/// What of --transport-option is on or off.
static constexpr std::pair<std::string_view, bool LinkOptions::*> kSwitches[] = {
    {"checksum", &LinkOptions::checksum},
    {"pool", &LinkOptions::pool},
    {"in-place", &LinkOptions::inPlace}};
/// Buffers of a ring, at most: each has its memory.
static constexpr double kLargestRing = 10000;

std::string LinkOptions::agreement() const {
  std::string text =
      "transport " + std::to_string(int(transport)) + " checksum " + std::to_string(int(checksum));
  for (auto [name, member] : kCredits)
    text += " " + std::to_string(credits.*member);
  return text;
}

std::string setReceive(LinkOptions &options, std::string_view value) {
  const std::pair<std::string_view, Wait> waits[] = {{"poll", Wait::Poll},
                                                     {"interrupt", Wait::Interrupt},
                                                     {"sleep", Wait::Sleep},
                                                     {"auto", Wait::Auto}};
  constexpr std::string_view kSleep = "sleep=";
  if (value.starts_with(kSleep)) {
    auto seconds = parseSeconds(value.substr(kSleep.size()));
    if (!seconds || *seconds > 10)
      return "--receive=sleep=TIME needs a time like 10ms, up to 10s";
    options.wait = Wait::Sleep;
    options.sleepNanos = int64_t(*seconds * double(os::kNanos));
    return "";
  }
  for (auto [name, wait] : waits)
    if (value == name) {
      options.wait = wait;
      return "";
    }
  return "--receive needs poll, interrupt, sleep, sleep=TIME or auto";
}

std::string setTransport(LinkOptions &options, std::string_view value) {
  const std::pair<std::string_view, Transport> all[] = {
      {"auto", Transport::Auto}, {"shm", Transport::Shm}, {"tcp", Transport::Tcp}};
  for (auto [name, transport] : all)
    if (value == name) {
      options.transport = transport;
      return "";
    }
  return "--transport needs auto, shm or tcp";
}

std::string contradiction(const LinkOptions &options) {
  const CreditOptions &c = options.credits;
  if (c.grant > c.ring || c.window > c.ring)
    return "--transport-option: grant and window are at most ring, which is " +
           std::to_string(c.ring);
  if (c.low >= c.window)
    return "--transport-option: low is below window, which is " + std::to_string(c.window);
  return "";
}

std::string setTransportOption(LinkOptions &options, std::string_view given) {
  size_t equals = std::min(given.find('='), given.size());
  std::string_view name = given.substr(0, equals);
  std::string_view value = given.substr(std::min(equals + 1, given.size()));
  for (auto [known, member] : kSwitches)
    if (name == known && (value == "on" || value == "off")) {
      options.*member = value == "on";
      return "";
    }
  for (auto [known, member] : kCredits)
    if (name == known) {
      auto n = parseNumber(value);
      double least = name == "low" ? 0 : 1;
      if (!n || *n < least || *n > kLargestRing || *n != double(uint32_t(*n)))
        return "--transport-option " + std::string(name) + " needs a number from " +
               (least == 0 ? "0" : "1") + " to 10000";
      options.credits.*member = uint32_t(*n);
      return "";
    }
  return "--transport-option needs checksum=on|off, pool=on|off, in-place=on|off, ring=N, grant=N, "
         "window=N or low=N, not '" +
         std::string(given) + "'";
}

} // namespace sluice::remote
