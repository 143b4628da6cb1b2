//===- ZoneCache.cpp - the zones that were asked for lately ---------------===//
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/time/Zone.h"
#include "stdlib/native/time/ZoneNames.h"
#include <mutex>

namespace sluice {
namespace {

using ZonePtr = std::shared_ptr<const Zone>;

ZonePtr readZone(const std::string &called) {
  std::string_view name = withoutColon(called);
  if (name.find('\0') != name.npos)
    return nullptr;
  if (!name.empty())
    if (ZonePtr zone = Zone::fromFile((zoneFolder() / name).string()))
      return zone;
  if (isUtc(name))
    return Zone::fromRule({.name = name.empty() ? "UTC" : std::string(name)});
  std::optional<PosixZone> rule = posixZone(name);
  return rule ? Zone::fromRule(*rule) : nullptr;
}

/// Names come with data, so there may be any number of them: those that were used last are kept, as
/// compiled patterns are.
class ZoneCache {
public:
  ZonePtr find(const std::string &name) {
    if (ZonePtr found = kept(name))
      return found;
    ZonePtr zone = readZone(name); // others need not wait for the file
    if (!zone)
      return nullptr;
    std::lock_guard held(lock);
    ZonePtr *other = zones.find(name); // another thread may have been quicker
    return other ? *other : *zones.add(name, std::move(zone));
  }

private:
  ZonePtr kept(const std::string &name) {
    std::lock_guard held(lock);
    ZonePtr *found = zones.find(name);
    return found ? *found : nullptr;
  }

  std::mutex lock; // guards what is below
  LastUsed<ZonePtr> zones;
};

} // namespace

const Zone *Zone::find(std::string_view name) {
  static ZoneCache cache;
  struct Last {
    std::string name;
    ZonePtr zone;
  };
  thread_local Last last;
  if (last.zone && last.name == name)
    return last.zone.get();
  last.name = name;
  last.zone = cache.find(last.name);
  return last.zone.get();
}

const Zone &Zone::local() {
  static const ZonePtr zone = [] {
    const char *name = getenv("TZ");
    ZonePtr found = name ? readZone(name) : Zone::fromFile("/etc/localtime");
    return found ? found : Zone::fromRule({.name = "UTC"});
  }();
  return *zone;
}

} // namespace sluice
