//===- Ticker.cpp - sluice.lang::Ticker ----------------------------------===//
#include "stdlib/native/Params.h"
#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

class Ticker : public ParamOp {
public:
  int32_t open() override;
  int32_t process() override;
  Saves saves() const override { return Saves::State; }
  void save(Saver &saver) override { saver.number("due", due); }
  int32_t restore(const Loader &loader) override {
    due = loader.number("due").value_or(0);
    return 0;
  }

private:
  int64_t period = 0; // ns
  int64_t due = 0;    // ns, when the next tuple is due, on sl_now's scale; 0: it has not begun
};

int32_t Ticker::open() {
  period = int64_t(std::clamp(std::round(number("period", 0) * 1e9), 1.0, 1e18));
  return 0;
}

int32_t Ticker::process() {
  if (!due)
    due = sl_now(ctx) + period;
  for (;;) {
    if (sl_wait_until(ctx, due, 0) || sl_is_shutdown(ctx))
      return 0;
    int64_t now = sl_now(ctx);
    if (int32_t result = submit(0, &now))
      return result;
    due += std::max<int64_t>((now - due) / period + 1, 1) * period;
  }
}

RegisterNative registered("sluice.lang::Ticker",
                          [] { return static_cast<NativeOp *>(new Ticker); });

} // namespace
} // namespace sluice
