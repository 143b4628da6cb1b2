//===- Sys.cpp - a broken invariant ends the program ----------------------===//
#include "runtime/queue/Sys.h"
#include <cstdio>
#include <cstdlib>

namespace sluice::queue {

void RealSys::broken(const char *what) {
  fprintf(stderr, "internal error: queue: %s\n", what);
  abort();
}

} // namespace sluice::queue
