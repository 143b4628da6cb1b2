//===- Delay.cpp - spl.utility::Delay ------------------------------------===//
//
// What has arrived waits in the queue of the port, and the thread that takes it out waits for its
// time.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Params.h"
#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

constexpr double kDefaultSize = 1000;
constexpr double kMostSeconds = 1e9; // some thirty years

class Delay : public ParamOp {
public:
  int32_t open() override {
    delay = std::llround(std::min(number("delay", 0), kMostSeconds) * 1e9);
    sl_hold_above(ctx, desc, uint64_t(number("bufferSize", kDefaultSize)));
    return 0;
  }
  int32_t tuple(uint32_t, const void *tuple) override {
    await();
    return submit(0, tuple);
  }
  int32_t punct(uint32_t, PunctuationKind kind) override {
    await();
    return isFinal(kind) ? 0 : submitPunct(0, kind);
  }
  Saves saves() const override {
    return Saves::no("the tuples that wait at it are in no checkpoint yet");
  }

private:
  void await() { sl_wait_until(ctx, sl_arrival(ctx) + delay, 0); }
  int64_t delay = 0; // ns
};

RegisterNative registered("spl.utility::Delay", [] { return static_cast<NativeOp *>(new Delay); });

} // namespace
} // namespace sluice
