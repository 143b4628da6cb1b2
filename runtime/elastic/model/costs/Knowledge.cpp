//===- Knowledge.cpp - what is learnt over the whole run -------------------===//
#include "runtime/elastic/model/costs/Knowledge.h"
#include <algorithm>

namespace sluice::elastic {

void Knowledge::learnBytes(const Profile &profile) {
  for (size_t i = 0; i < bytesPerRow.size(); ++i) {
    const NodeSample &n = profile.nodes[i];
    if (n.queued > 0 && n.batches > 0 && n.rows > 0 && n.bytes > 0)
      bytesPerRow[i] = n.bytes / (n.rows * std::min(1.0, n.queued / n.batches));
  }
}

} // namespace sluice::elastic
