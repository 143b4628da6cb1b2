//===- Throttle.cpp - spl.utility::Throttle -----------------------------===//
//
// Tuples are due at equal distances. One that is early waits: always with
// `precise` (the last stretch in a loop), else once the wait is worth a sleep,
// so that tuples leave in small groups at high rates.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Params.h"
#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

constexpr int64_t kSleepNanos = 1'000'000; // shorter ones are not worth it
constexpr int64_t kSpinNanos = 100'000;    // what a sleep may overshoot

class Throttle : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *tuple) override {
    await();
    return submit(0, tuple);
  }
  int32_t punct(uint32_t, PunctuationKind kind) override {
    if (isFinal(kind))
      return 0;
    if (marksCount)
      await();
    return submitPunct(0, kind);
  }

  Saves saves() const override { return Saves::State; }
  void save(Saver &saver) override {
    saver.number("start", start);
    saver.number("count", int64_t(count));
  }
  int32_t restore(const Loader &loader) override {
    start = loader.number("start").value_or(0);
    count = uint64_t(loader.number("count").value_or(0));
    return 0;
  }

private:
  void await();
  bool precise = false, marksCount = false;
  static constexpr double kLongest = 1e18; // ns: thirty years
  double distance = 0;                     // ns
  int64_t start = 0;                       // when the first tuple was due, on sl_now's scale
  uint64_t count = 0;                      // tuples since `start`
};

int32_t Throttle::open() {
  precise = flag("precise", false);
  marksCount = flag("includePunctuations", false);
  distance = 1e9 / number("rate", 1);
  return 0;
}

void Throttle::await() {
  int64_t now = sl_now(ctx),
          due = start + std::llround(std::min(double(count) * distance, kLongest));
  // Who comes late does not get the lost time back.
  if (!count || due < now - std::max(int64_t(distance), kSleepNanos)) {
    due = start = now;
    count = 0;
  }
  ++count;
  if (precise)
    sl_wait_until(ctx, due, kSpinNanos);
  else if (due - now >= kSleepNanos || (due > now && distance >= kSleepNanos))
    sl_wait_until(ctx, due, 0);
}

RegisterNative registered("spl.utility::Throttle",
                          [] { return static_cast<NativeOp *>(new Throttle); });

} // namespace
} // namespace sluice
