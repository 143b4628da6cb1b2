//===- Hosted.cpp - other PEs that a host carries frames to ---------------===//
#include "runtime/exec/remote/Hosted.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"
#include "runtime/remote/frame/Schema.h"

namespace sluice {

Hosted::Hosted(Program &p) : p(p), pipe(*p.options.job->host) {}

Hosted::~Hosted() { pipe.silence(); }

std::string Hosted::start() {
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const OperatorDesc &desc = p.desc.operators[op];
    if (desc.link < 0 || desc.inputs || !p.isHere(op))
      continue;
    remote::LinkOptions options = p.options.links;
    options.room = remote::schemaOf(p.desc.outPorts[desc.firstOut]).room;
    receivers[op] = std::make_unique<remote::PipeReceiveLink>(pipe, op, p.table.pes.sendersTo(op),
                                                              options, p.end.failed);
    pipe.enter(op, *receivers[op]);
  }
  pipe.listen([this] { p.end.stop.raise(); });
  return "";
}

/// All operators end together. Nothing is written any more into batches that it has posted.
void Hosted::drop(uint32_t) { pipe.silence(); }

std::unique_ptr<remote::SendLink> Hosted::connect(uint32_t sender, int64_t, std::string &) {
  remote::HostLink link{p.table.pes.receiver(sender), uint32_t(p.options.pe)};
  return std::make_unique<remote::PipeSendLink>(pipe, link, p.end.failed.descriptor());
}

void Hosted::endOthers() {
  tell(p, std::string(p.desc.mainName) +
              ": warning: shutdownPE() ends this PE only: a host cannot be asked yet to end the "
              "others\n");
}

} // namespace sluice
