//===- exchange.cpp - fuzzing what other jobs say ---------------*- C++ -*-===//
//
// The first byte says what the input is: a condition, or a message. A condition that is taken has a
// value, and a message that is taken is the same when it is encoded again.
//
//===----------------------------------------------------------------------===//
#include "runtime/exchange/Jobs.h"
#include <cstdio>
#include <cstdlib>

using namespace sluice::exchange;

namespace {
struct Numbers : Names {
  Value valueOf(uint32_t slot) const override { return Value::of(Integer(slot)); }
};
} // namespace

static void same(const std::string &again, std::string_view message) {
  if (std::string_view(again).substr(4) == message)
    return;
  fprintf(stderr, "not the same again\n");
  abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::string_view rest(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (data[0] % 4 == 0) {
    Condition condition;
    if (condition.parse(rest).empty())
      condition.holds(Numbers());
  } else if (data[0] % 4 == 1) {
    if (auto request = decodeRequest(rest))
      same(encode(*request), rest);
  } else if (data[0] % 4 == 2) {
    if (auto answer = decodeAnswer(rest))
      same(encodeAnswer(*answer), rest);
  } else if (auto report = decodeReport(rest)) {
    same(encode(*report), rest);
    Wish wish;
    if (wish.subscription.parse("a == 1 || \"x\" in b || c[0] > 0.5").empty())
      for (const Offer &offer : report->offers)
        matches(wish, report->application, offer);
    jobsText({{1, *report}});
  }
  return 0;
}
