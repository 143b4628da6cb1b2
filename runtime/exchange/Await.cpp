//===- Await.cpp - waiting for several sockets ----------------------------===//
#include "runtime/exchange/Await.h"
#include <poll.h>

namespace sluice::exchange {

bool await(const std::vector<Watched> &all, int64_t nanos) {
  std::vector<pollfd> files;
  for (const Watched &each : all)
    files.push_back({each.fd, short(each.writes ? POLLIN | POLLOUT : POLLIN), 0});
  int milliseconds = nanos < 0 ? -1 : int((nanos + 999'999) / 1'000'000);
  return poll(files.data(), files.size(), milliseconds) != 0;
}

} // namespace sluice::exchange
