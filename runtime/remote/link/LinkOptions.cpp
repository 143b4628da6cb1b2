//===- LinkOptions.cpp - how the links of a job work ----------------------===//
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/base/Quantity.h"
#include "runtime/base/os.h"
#include "runtime/remote/carrier/UcxWorker.h"
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
    {"in-place", &LinkOptions::inPlace},
    {"lazy", &LinkOptions::lazy}};
/// Buffers of a ring, at most: each has its memory.
static constexpr double kLargestRing = 10000;

std::string LinkOptions::agreement() const {
  std::string text =
      "transport " + std::to_string(int(transport)) + " checksum " + std::to_string(int(checksum));
  for (auto [name, member] : kCredits)
    text += " " + std::to_string(credits.*member);
  if (acknowledges)
    text += " unacknowledged " + std::to_string(unacknowledged);
  return text;
}

uint32_t LinkOptions::depth() const {
  bool ucx = transport == Transport::Ucx || (transport == Transport::Auto && hasRdma());
  return ucx ? credits.sound().ring : 1;
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
      return "=sleep=TIME needs a time like 10ms, up to 10s";
    options.wait = Wait::Sleep;
    options.sleepNanos = int64_t(*seconds * double(os::kNanos));
    return "";
  }
  for (auto [name, wait] : waits)
    if (value == name) {
      options.wait = wait;
      return "";
    }
  return " needs poll, interrupt, sleep, sleep=TIME or auto";
}

std::string setTransport(LinkOptions &options, std::string_view value) {
  const std::pair<std::string_view, Transport> all[] = {{"auto", Transport::Auto},
                                                        {"shm", Transport::Shm},
                                                        {"socket", Transport::Socket},
                                                        {"ucx", Transport::Ucx}};
  for (auto [name, transport] : all)
    if (value == name) {
      options.transport = transport;
      return "";
    }
  return " needs auto, shm, socket or ucx";
}

std::string setDelivery(LinkOptions &options, std::string_view value) {
  if (value != "at-most-once" && value != "at-least-once")
    return " needs at-most-once or at-least-once";
  options.acknowledges = value == "at-least-once";
  return "";
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

/// A number of batches. Empty, or what is wrong.
static std::string setNumber(std::string_view name, std::string_view value, double least,
                             uint32_t &to) {
  auto n = parseNumber(value);
  if (!n || *n < least || *n > kLargestRing || *n != double(uint32_t(*n)))
    return " " + std::string(name) + " needs a number from " + (least == 0 ? "0" : "1") +
           " to 10000";
  to = uint32_t(*n);
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
    if (name == known)
      return setNumber(name, value, name == "low" ? 0 : 1, options.credits.*member);
  if (name == "unacknowledged")
    return setNumber(name, value, 1, options.unacknowledged);
  return " needs checksum=on|off, pool=on|off, in-place=on|off, lazy=on|off, "
         "ring=N, grant=N, window=N, low=N or unacknowledged=N, not '" +
         std::string(given) + "'";
}

} // namespace sluice::remote
