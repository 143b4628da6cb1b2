//===- Options.cpp - the command line of sluice-console -------------------===//
#include "tools/console/Options.h"
#include "runtime/base/text/Options.h"
#include <charconv>

namespace sluice::console {

/// PORT, ADDRESS:PORT, or nothing.
static Setting endpoint(std::string_view value, std::optional<Endpoint> &to) {
  to.emplace();
  if (value.empty())
    return true;
  size_t colon = value.rfind(':');
  std::string_view port = colon == value.npos ? value : value.substr(colon + 1);
  if (colon != value.npos)
    to->address = value.substr(0, colon);
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), to->port);
  bool isNumber = error == std::errc() && end == port.data() + port.size();
  return isNumber && !to->address.empty() ? Setting(true) : " needs PORT or ADDRESS:PORT";
}

using ConsoleOption = Option<Options>;

static std::span<const ConsoleOption> table() {
  static const ConsoleOption all[] = {
      {"--job", "NUMBER", 1, "the job to show, as `sluice jobs` has it",
       [](Options &o, std::string_view v) {
         auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), o.job);
         return error == std::errc() && o.job > 0 ? Setting(true) : " needs a number";
       }},
      {"--trace", "FILE", 1, "the trace to show",
       [](Options &o, std::string_view v) {
         o.trace = v;
         return Setting(!v.empty());
       }},
      {"--console", "[=ADDRESS:PORT]", 1, "serve the page there (default: at a free port)",
       [](Options &o, std::string_view v) { return endpoint(v, o.page); }},
      {"--metrics", "[=ADDRESS:PORT]", 1, "serve /metrics there",
       [](Options &o, std::string_view v) { return endpoint(v, o.metrics); }},
      {"--allow-pause", nullptr, 1, "the page may pause the adaptation",
       [](Options &o, std::string_view) { return o.mayPause = true; }},
      {"--allow-tap", nullptr, 1, "the page may show tuples",
       [](Options &o, std::string_view) { return o.mayTap = true; }},
      {"--token", "FILE", 1, "the file of the token (default: it makes one)",
       [](Options &o, std::string_view v) {
         o.tokenFile = v;
         return Setting(!v.empty());
       }},
      {"--host", "NAME", 1, "the name of the host by which a proxy reaches the page",
       [](Options &o, std::string_view v) {
         o.host = v;
         return Setting(!v.empty());
       }},
      {"--allow-listen", nullptr, 1, "listen at addresses that others reach",
       [](Options &o, std::string_view) { return o.mayListen = true; }},
      {"--stay", nullptr, 1, "end only when it is told to",
       [](Options &o, std::string_view) { return o.stays = true; }},
  };
  return all;
}

std::string parseOptions(int argc, char **argv, Options &options) {
  for (int at = 1; at < argc; ++at) {
    auto [match, option, value] = matchOption(table(), 1, splitOption(argv[at]), argc, argv, at);
    if (match != Match::Found)
      return std::string(argv[at]) + (match == Match::NeedsValue  ? " needs a value"
                                      : match == Match::TakesNone ? " takes no value"
                                                                  : " is no option");
    if (Setting setting = option->set(options, value); !setting.taken)
      return option->name + setting.problem;
  }
  if (!options.job == options.trace.empty())
    return "either --job or --trace says what to show";
  if (!options.page && !options.metrics)
    return "neither --console nor --metrics is given";
  return "";
}

} // namespace sluice::console
