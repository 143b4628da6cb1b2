//===- Constants.cpp - the constants of `paper` and `threads` --------------===//
#include "runtime/elastic/paper/Paper.h"

namespace sluice::elastic {

std::vector<Constant> threadsConstants() {
  return {
      {"period", 0.5, 0.001, 3600, "seconds of a window (the paper: 5, the published code: 10)"},
      {"skip", 1, 0, 100,
       "periods to let pass after a change before the next window (the published code: 1)"},
      {"sens", 0.05, 0, 10,
       "SENS: a throughput is better if it is more than this share above another"},
      {"metric", 1, 0, 1,
       "throughput: what the sources submit (0; it comes in bursts while queues fill), or the rows "
       "of all nodes (1, the published code)"},
      {"minThreads", 1, 1, 65536, "workers to start with, and never fewer"},
      {"levels", 1, 0, 1,
       "numbers of workers tried on the way down: powers of two (0), or those in between as well "
       "(1)"},
      {"visits", 3, 1, 1000,
       "a number of workers is measured at most this often in one search (ours: with noise above "
       "SENS there is an end)"},
      {"cpuLimit", 1, 0, 1,
       "no more workers while this share of the processors is in use; 1: no limit (the published "
       "code: 0.8)"},
      {"loadChange", 0.2, 0.001, 100,
       "the load has changed if throughput differs by this share from the first at this level"},
      {"loadPeriods", 6, 1, 1000, "and does so, to the same side, for this many periods running"},
  };
}

std::vector<Constant> paperConstants() {
  std::vector<Constant> result = threadsConstants();
  for (const Constant &constant : std::vector<Constant>{
           {"history", 1, 0, 1,
            "no queue search at a number of workers that the last adjustment answers for (1)"},
           {"satisfaction", 1, 0, 1,
            "no queue search where more workers paid well enough by themselves (1)"},
           {"sf", 0.6, 0, 1,
            "satisfaction factor: well enough is this share of the gain in workers"},
           {"sfCode", 0, 0, 1,
            "satisfied by the paper's formula, r - 1 > sf (t - 1) (0), or the published code's, r "
            "> sf t (1)"},
           {"groups", 0, 0, 1,
            "groups by cost: logarithmic (0), or harmonic on the way up as in the published code "
            "(1)"},
           {"bins", 9, 1, 64,
            "groups at most; what is cheaper than all of them is in the last (the published code: "
            "9)"},
           {"order", 1, 0, 1,
            "which nodes of a group come first: lowest number, as in the published code (0), or "
            "mixed (1)"},
           {"smallGroup", 0.1, 0, 1,
            "a group up to this share of the nodes is tried as a whole, and with the next one if "
            "that gained nothing"},
           {"step", 2, 1, 1000,
            "the search in a group ends at this distance (the published code: 2)"},
           {"regroup", 1, 0, 1,
            "after a success: on to the next group (0), or all that is left in groups anew as in "
            "the published code (1)"}})
    result.push_back(constant);
  return result;
}

} // namespace sluice::elastic
