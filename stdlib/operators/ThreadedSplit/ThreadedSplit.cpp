//===- ThreadedSplit.cpp - spl.utility::ThreadedSplit ---------------------===//
#include "sluice/queues.h"

namespace sluice {
namespace {

class ThreadedSplit : public NativeOp {
public:
  int32_t tuple(uint32_t, const void *tuple) override {
    last = choose();
    return submit(last, tuple);
  }
  int32_t punct(uint32_t, PunctuationKind kind) override {
    for (uint32_t port = 0; port < desc->outputs && !isFinal(kind); ++port)
      if (int32_t result = submitPunct(port, kind))
        return result;
    return 0;
  }
  Saves saves() const override { return Saves::State; }
  void save(Saver &saver) override { saver.number("last", last); }
  int32_t restore(const Loader &loader) override {
    last = uint32_t(loader.number("last").value_or(~0u));
    return 0;
  }

private:
  /// The port where the fewest tuples wait: the first of them behind `last`.
  uint32_t choose() const {
    uint32_t best = 0;
    uint64_t fewest = ~uint64_t(0);
    for (uint32_t i = 1; i <= desc->outputs && fewest; ++i) {
      uint32_t port = (last + i) % desc->outputs;
      if (uint64_t waiting = sl_waiting(ctx, desc, port); waiting < fewest) {
        fewest = waiting;
        best = port;
      }
    }
    return best;
  }

  uint32_t last = ~0u; // the port that had a tuple last; none: the next one is 0
};

RegisterNative registered("spl.utility::ThreadedSplit",
                          [] { return static_cast<NativeOp *>(new ThreadedSplit); });

} // namespace
} // namespace sluice
