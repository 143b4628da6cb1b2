//===- ExternalSort.cpp - sluice.external::ExternalSort -------------------===//
#include "runtime/base/scratch.h"
#include "stdlib/native/Params.h"
#include "stdlib/operators/ExternalSort/Sorter.h"

namespace sluice {
namespace {

using namespace external;

class ExternalSort : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *tuple) override { return sorter->add(tuple) ? 0 : report(); }
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  std::vector<RowOrder::Key> keys() const;
  int32_t report() { return sl_error(ctx, "%s", sorter->problem().c_str()); }

  std::unique_ptr<RowOrder> order;
  std::unique_ptr<Sorter> sorter;
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

int32_t ExternalSort::open() {
  uint64_t most = 0;
  if (memory(kLeastMemory >> 20, most))
    return 1;
  order = std::make_unique<RowOrder>(desc->inTypes[0], keys());
  std::string directory = text("scratch", "");
  sorter = std::make_unique<Sorter>(
      *order, most, directory.empty() ? os::scratchDirectory() : resolve(directory));
  return 0;
}

int32_t ExternalSort::punct(uint32_t, PunctuationKind kind) {
  while (const char *row = sorter->next())
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
