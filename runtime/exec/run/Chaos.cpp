//===- Chaos.cpp - random changes of a running program --------------------===//
#include "runtime/exec/run/Chaos.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/run/Queues.h"
#include <random>

namespace sluice {

/// Of this PE.
static std::vector<InPort *> changeablePorts(const Program &p) {
  std::vector<InPort *> ports;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    for (uint32_t in = 0; p.isHere(i) && in < op.inputs; ++in)
      if (InPort *port = p.domains.inPorts[op.firstIn + in].get(); port && port->switchable)
        ports.push_back(port);
  }
  return ports;
}

void chaosUntil(Program &p, os::Event &end) {
  std::mt19937 random(p.options.chaos);
  std::vector<InPort *> ports = changeablePorts(p);
  if (ports.empty())
    return;
  uint64_t awake = 0, switches = 0, lasted = 0, widths = 0, levels = 0;
  std::vector<queue::Mode> modes(ports.size(), queue::Mode::Direct), before;
  queue::Self<RealSys> self = p.scheduler->makeSelf();
  for (; !end.sleep(random() % 100'000); ++awake) { // with the kernel's slack about 10 kHz
    before = modes;
    for (int i = 0; i < 64; ++i, ++switches) {
      uint32_t which = random() % ports.size();
      queue::Mode &mode = modes[which];
      mode = mode == queue::Mode::Direct ? queue::Mode::Queued : queue::Mode::Direct;
      ports[which]->port.setMode(mode);
      if (random() % 8 == 0) {
        setWidth(p, self, *ports[which], 1 + random() % 4);
        widths += ports[which]->domain.isWide();
      }
      if (random() % 256 == 0) {
        p.scheduler->setLevel(1 + random() % p.scheduler->options.workers);
        ++levels;
      }
      for (uint32_t pauses = random() % 64; pauses; --pauses) // each has a moment of its own
        os::spinPause();
    }
    for (size_t i = 0; i < ports.size(); ++i)
      lasted += modes[i] != before[i];
  }
  if (p.options.traceLevel >= 3)
    tell(p, std::string(p.desc.mainName) + ": info: " + std::to_string(switches) + " switches of " +
                counted(ports.size(), "port") + ", " + std::to_string(awake) + " awakenings, " +
                std::to_string(lasted) + " modes lasted until the next; " + std::to_string(widths) +
                " of widths, " + std::to_string(levels) + " of the level\n");
}

} // namespace sluice
