//===- Profiler.cpp - looks 100 times a second where threads are ----------===//
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"

namespace sluice {

static constexpr int64_t kPeriodNanos = 10'000'000;

Profiler::Profiler(const Program &p) : seen(p.desc.inPortCount), sources(p.sources.size()), p(p) {}

void Profiler::run(const os::Event &end) {
  for (uint64_t last = os::cycles(); !end.sleep(kPeriodNanos);) {
    uint64_t now = os::cycles(); // what is seen stands for all the time since the last look
    look(now - last);
    last = now;
  }
}

void Profiler::look(uint64_t cycles) {
  auto inPort = [&](uint64_t place) {
    if (place >= CounterTable::AtPort)
      seen.in[place - CounterTable::AtPort].cycles.add(cycles);
  };
  for (size_t i = 0; i < p.sources.size(); ++i) {
    uint64_t place = p.sources[i]->counters.place.get();
    if (place == CounterTable::InSource)
      sources[i].add(cycles);
    inPort(place);
  }
  for (auto &worker : p.workers)
    inPort(worker->counters.place.get());
}

} // namespace sluice
