//===- Remote.cpp - the other PEs of a job --------------------------------===//
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/remote/Hosted.h"
#include "runtime/exec/remote/Peers.h"
#include "runtime/exec/state/Program.h"

namespace sluice {

int32_t startRemote(Program &p) {
  if (p.options.pe < 0)
    return 0;
  if (p.options.job->host)
    p.links.remote = std::make_unique<Hosted>(p);
  else
    p.links.remote = std::make_unique<Peers>(p);
  std::string problem = p.links.remote->start();
  if (problem.empty())
    return 0;
  tell(p, std::string(p.desc.mainName) + ": error: PE " + std::to_string(p.options.pe) + ": " +
              problem + "\n");
  p.end.failing = true;
  return -1;
}

} // namespace sluice
