//===- ExternalSort.cpp - sluice.external::ExternalSort -------------------===//
#include "runtime/base/scratch.h"
#include "stdlib/native/Params.h"
#include "stdlib/operators/ExternalSort/Sorter.h"
#include <algorithm>

namespace sluice {
namespace {

using namespace external;

constexpr int32_t kInfo = 3; // of sl_trace_level()

class ExternalSort : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *tuple) override { return sorter->add(tuple) ? 0 : report(); }
  int32_t punct(uint32_t, PunctuationKind) override;
  Saves saves() const override {
    return Saves::no("what it sorts is in scratch files that end with the process");
  }

private:
  std::vector<RowOrder::Key> keys() const;
  template <typename Parse>
  int32_t deviceNumber(const char *name, const char *example, const Parse &, double &result) const;
  void tellPlan() const;
  int32_t report() { return sl_error(ctx, "%s", sorter->problem().c_str()); }

  std::unique_ptr<RowOrder> order;
  std::unique_ptr<Sorter> sorter;
  std::string where; // its files are
};

std::vector<RowOrder::Key> ExternalSort::keys() const {
  const Param *order = param("order");
  std::vector<RowOrder::Key> result;
  for (uint32_t attribute : attributes("key")) {
    size_t at = order && order->values.size() > 1 ? result.size() : 0;
    bool descending =
        order && viewOf(*static_cast<const Str *>(order->values[at].value)) == "descending";
    result.push_back({attribute, descending});
  }
  return result;
}

/// A rate or a time of the device; 0 if it is not given.
template <typename Parse>
int32_t ExternalSort::deviceNumber(const char *name, const char *example, const Parse &parse,
                                   double &result) const {
  std::string given = text(name, "");
  if (given.empty())
    return 0;
  auto number = parse(given);
  if (!number)
    return sl_error(ctx, "%s is such as \"%s\", not \"%s\"", name, example, given.c_str());
  result = double(*number);
  return 0;
}

int32_t ExternalSort::open() {
  SorterOptions options = {};
  Device &device = options.device;
  if (memory(kLeastMemory >> 20, options.memory) ||
      deviceNumber("readRate", "500MB/s", parseRate, device.readRate) ||
      deviceNumber("writeRate", "500MB/s", parseRate, device.writeRate) ||
      deviceNumber("seekTime", "8ms", parseSeconds, device.seek))
    return 1;
  order = std::make_unique<RowOrder>(desc->inTypes[0], keys());
  std::string directory = text("scratch", "");
  options.place = {directory.empty() ? os::scratchDirectory() : resolve(directory),
                   flag("direct", false)};
  where = options.place.directory;
  sorter = std::make_unique<Sorter>(*order, std::move(options));
  return 0;
}

/// Says how the rows are merged, if messages of this level are shown.
void ExternalSort::tellPlan() const {
  const Sorter::Report &report = sorter->report();
  if (!report.runs || sl_trace_level(ctx) < kInfo)
    return;
  std::string passes;
  for (uint64_t width : report.widths)
    passes += (passes.empty() ? "" : ", then ") + std::to_string(width);
  const Device &device = sorter->device();
  char known[64] = "not measured", text[1024];
  if (report.probeSeconds > 0)
    snprintf(known, sizeof known, "measured in %.0f ms", report.probeSeconds * 1e3);
  int size = snprintf(
      text, sizeof text,
      "%s: info: %llu runs in %s are merged %s at once, in reads of at least %llu bytes; the "
      "device: reads %.0f MB/s, writes %.0f MB/s, change of place %.3f ms (%s)\n",
      desc->name, (unsigned long long)report.runs, where.c_str(), passes.c_str(),
      (unsigned long long)report.stretch, device.readRate / 1e6, device.writeRate / 1e6,
      device.seek * 1e3, known);
  sl_message(ctx, text, std::min<size_t>(size_t(size), sizeof text - 1));
}

int32_t ExternalSort::punct(uint32_t, PunctuationKind kind) {
  const char *row = sorter->next();
  tellPlan();
  for (; row; row = sorter->next())
    if (int32_t result = submit(0, row))
      return result;
  if (!sorter->problem().empty())
    return report();
  return isFinal(kind) ? 0 : submitPunct(0, kind);
}

RegisterNative registered("sluice.external::ExternalSort",
                          [] { return static_cast<NativeOp *>(new ExternalSort); });

} // namespace
} // namespace sluice
