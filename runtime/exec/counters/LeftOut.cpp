//===- LeftOut.cpp - counters of what is left out ------------------------===//
#include "runtime/exec/counters/LeftOut.h"
#include "runtime/base/text/Words.h"

namespace sluice {

static constexpr LeftOutInfo kInfos[] = {
#define SLUICE_LEFT_OUT(Id, name, unit, text, advice, said) {name, unit, text, advice, said},
#include "sluice/LeftOut.def"
};
static_assert(std::size(kInfos) == kLeftOuts);

const LeftOutInfo &infoOf(LeftOut what) { return kInfos[uint32_t(what)]; }

std::string leftOutText(LeftOut what, uint64_t count) {
  static constexpr std::string_view kWere = "{were}";
  const LeftOutInfo &info = infoOf(what);
  std::string text = std::to_string(count) + " " + info.unit + plural(count) + " " + info.text;
  if (size_t at = text.find(kWere); at != text.npos)
    text.replace(at, kWere.size(), count == 1 ? "was" : "were");
  return info.advice ? text + "; " + info.advice : text;
}

std::vector<LeftOutSample> LeftOuts::sample() const {
  std::vector<LeftOutSample> samples;
  for (size_t i = 0; i < counts.size(); ++i)
    if (uint64_t count = counts[i].load(std::memory_order_relaxed))
      samples.push_back({uint32_t(i / kLeftOuts), LeftOut(i % kLeftOuts), count});
  return samples;
}

} // namespace sluice
