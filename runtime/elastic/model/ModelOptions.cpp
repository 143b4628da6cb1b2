//===- ModelOptions.cpp - the constants of `model` -------------------------===//
#include "runtime/elastic/model/ModelOptions.h"

namespace sluice::elastic {

std::vector<Constant> modelConstants() {
  return {
      {"window", 0.15, 0.01, 60,
       "seconds that a candidate is measured at a time; longer where few batches flow"},
      {"warmUp", 0.03, 0, 60, "seconds that pass unmeasured after a change"},
      {"watch", 0.5, 0.01, 600, "seconds of a window once it has settled"},
      {"settle", 8.5, 0.5, 3600, "seconds in which the first comparisons must end"},
      {"resettle", 2.5, 0.5, 3600, "seconds in which comparisons after a change of load must end"},
      {"rounds", 14, 2, 100, "times that a candidate is measured at most"},
      {"tie", 0.01, 0, 1,
       "a difference of throughput up to this share is none: fewer threads, then fewer queues win"},
      {"noise", 0.02, 0, 1,
       "up to this share more threads must be confirmed to be better by the test (Mann-Whitney)"},
      {"level", 0.1, 0.001, 0.5,
       "the level of that test: the lower, the sooner a cheaper one wins that may be slower"},
      {"worth", 0.03, 0, 1,
       "what queues must have beyond calls, and many beyond few, altogether, before it settles: a "
       "share; calls are the same on any day, and take one thread"},
      {"gain", 0.05, 0, 10,
       "what a change must promise, as a share of throughput, to be tried once it has settled"},
      {"latency", 0, 0, 3600,
       "seconds from source to sink that the 99th percentile may take (0: no bound)"},
      {"cpus", 0, 0, 65536, "processors that the program may use, a fraction if you like (0: all)"},
  };
}

ModelOptions::ModelOptions(const Values &values)
    : interval(values["window"]), warmUp(values["warmUp"]), watchInterval(values["watch"]),
      settle(values["settle"]), resettle(values["resettle"]), tie(values["tie"]),
      noise(values["noise"]), level(values["level"]), worth(values["worth"]), gain(values["gain"]),
      latency(values["latency"]), cpus(values["cpus"]), rounds(uint32_t(values["rounds"])) {}

} // namespace sluice::elastic
