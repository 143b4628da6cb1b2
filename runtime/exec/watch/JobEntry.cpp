//===- JobEntry.cpp - a process in the registry of jobs -------------------===//
#include "runtime/exec/watch/JobEntry.h"
#include "runtime/base/files.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Json.h"
#include "runtime/exchange/Registry.h"
#include "runtime/exec/state/Program.h"

namespace sluice::watch {

static std::string textOf(const Program &p, int process) {
  int64_t seconds;
  uint32_t nanos;
  os::wallClock(seconds, nanos);
  Json json(Json::Style::Line);
  json.openElement('{');
  json.text("program", p.desc.mainName);
  json.number("job", p.options.process);
  json.number("process", process);
  json.number("pe", p.options.pe);
  json.number("started", seconds);
  json.close();
  return std::move(json).finish();
}

JobEntry::JobEntry(const Program &p) {
  exchange::Registry registry;
  if (!p.options.process || !registry.open().empty())
    return;
  int process = os::processNumber();
  std::string text = textOf(p, process),
              hidden = registry.directory() + "/.job" + std::to_string(process);
  int fd = os::openFile(hidden.c_str(), os::Open::Truncate);
  if (fd < 0)
    return;
  os::writeFile(fd, text.data(), text.size()); // who cannot read it leaves it out
  os::closeFile(fd);
  lock = os::lockFile(hidden.c_str());
  path = registry.directory() + "/" + std::to_string(p.options.process) + "." +
         std::to_string(process) + ".job";
  if (os::renameFile(hidden.c_str(), path.c_str())) {
    os::removeFile(hidden.c_str());
    path.clear();
  }
}

JobEntry::~JobEntry() {
  if (!path.empty())
    os::removeFile(path.c_str());
  if (lock >= 0)
    os::closeFile(lock);
}

} // namespace sluice::watch
