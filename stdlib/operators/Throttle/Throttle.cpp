//===- Throttle.cpp - spl.utility::Throttle -----------------------------===//
//
// Tuples are due at equal distances. One that is early waits: always with
// `precise` (the last stretch in a loop), else once the wait is worth a sleep,
// so that tuples leave in small groups at high rates.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "stdlib/native/Params.h"
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

private:
  void await();
  bool precise = false, marksCount = false;
  double distance = 0; // nanoseconds
  double due = 0;      // of the next tuple, on os::now's scale
};

int32_t Throttle::open() {
  double rate = number("rate", 0);
  if (!(rate > 0))
    return sl_error(ctx, "the rate must be above 0");
  precise = flag("precise", false);
  marksCount = flag("includePunctuations", false);
  distance = 1e9 / rate;
  return 0;
}

void Throttle::await() {
  auto now = double(os::now());
  // Who comes late does not get the lost time back.
  if (due < now - std::max(distance, double(kSleepNanos)))
    due = now;
  double early = due - now;
  due += distance;
  if (precise) {
    if (early > kSpinNanos)
      sl_wait(ctx, (early - kSpinNanos) / 1e9);
    while (double(os::now()) < due - distance && !sl_is_shutdown(ctx))
      ;
  } else if (early >= kSleepNanos || (early > 0 && distance >= kSleepNanos)) {
    sl_wait(ctx, early / 1e9);
  }
}

RegisterNative registered("spl.utility::Throttle",
                          [] { return static_cast<NativeOp *>(new Throttle); });

} // namespace
} // namespace sluice
