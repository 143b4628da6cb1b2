//===- Delay.cpp - spl.utility::Delay ------------------------------------===//
//
// What has arrived waits in the queue of the port, which lets it pass when its time has come.
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
    int64_t nanos = std::llround(std::min(number("delay", 0), kMostSeconds) * 1e9);
    sl_delay(ctx, desc, nanos, uint64_t(number("bufferSize", kDefaultSize)));
    return 0;
  }
  int32_t tuple(uint32_t, const void *tuple) override { return submit(0, tuple); }
  int32_t punct(uint32_t, PunctuationKind kind) override {
    return isFinal(kind) ? 0 : submitPunct(0, kind);
  }
  Saves saves() const override { return Saves::Stateless; }
};

RegisterNative registered("spl.utility::Delay", [] { return static_cast<NativeOp *>(new Delay); });

} // namespace
} // namespace sluice
