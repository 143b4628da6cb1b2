//===- ZoneArgument.cpp - zones that functions are given ------------------===//
#include "stdlib/native/time/ZoneArgument.h"
#include "stdlib/native/time/ZoneNames.h"
#include "value/Text.h"

namespace sluice {

int32_t failZone(Ctx *ctx, const char *function, std::string_view name) {
  TextOut quoted;
  printQuoted(quoted, name.substr(0, 60));
  std::error_code error;
  bool hasFiles = std::filesystem::is_directory(zoneFolder(), error);
  return sl_error(ctx, "%s: no time zone is called %.*s%s%s", function, int(quoted.size),
                  quoted.data,
                  hasFiles ? "; names are like Europe/Berlin, EST5EDT or <+02>-2"
                           : ": there are no zone files (Debian's package tzdata) in ",
                  hasFiles ? "" : zoneFolder().c_str());
}

} // namespace sluice
