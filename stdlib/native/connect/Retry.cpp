//===- Retry.cpp - trying again what has failed ---------------------------===//
#include "stdlib/native/connect/Retry.h"
#include <algorithm>

using namespace sluice;

double Backoff::next() {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  double part = double(chance >> 40) / double(1 << 24); // of 1
  double result = std::min(pause, most) * (1 - part / 4);
  pause = std::min(pause * 2, most);
  return result;
}

bool Warnings::warn(Ctx *ctx, const OperatorDesc *op, const std::string &why,
                    std::string_view reason) {
  if (reason.empty())
    reason = why;
  int64_t now = sl_now(ctx);
  {
    os::Held held(lock);
    auto known = std::find_if(said.begin(), said.end(), [&](auto &s) { return s.first == reason; });
    if (known != said.end() && now - known->second < 60 * os::kNanos)
      return false;
    if (known != said.end())
      said.erase(known);
    else if (said.size() == kMost)
      said.erase(said.begin()); // the oldest
    said.emplace_back(reason, now);
  }
  sl_warn(ctx, op, "%s", why.c_str());
  return true;
}
