//===- Export.cpp - spl.adapter::Export -----------------------------------===//
#include "runtime/exec/exchange/Exporter.h"
#include "stdlib/native/Params.h"
#include "stdlib/operators/Export/Values.h"

namespace sluice {
namespace {

class Export : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t batch(uint32_t, const Batch &, const Punctuation *, uint32_t count) override;
  int32_t close() override;
  bool opensFirst() const override { return true; }

private:
  std::unique_ptr<Exporter> exporter;
  std::vector<Punctuation> windows; // of a batch
};

int32_t Export::open() {
  exchange::Offer offer;
  offer.scope = text("applicationScope", exchange::kUsualScope);
  if (param("streamId"))
    offer.id = text("streamId", "");
  if (const Param *given = param("properties")) {
    const ParamValue &tuple = given->values[0];
    for (uint32_t i = 0; i < tuple.type->count; ++i) {
      const Field &field = tuple.type->fields[i];
      offer.properties.push_back(
          {field.name,
           exchange::ownedOf(field.type, static_cast<const char *>(tuple.value) + field.offset)});
    }
  }
  offer.allowsFilter = flag("allowFilter", false);
  offer.waits = text("congestionPolicy", "wait") == "wait";
  exporter = std::make_unique<Exporter>(*this, std::move(offer));
  return 0;
}

/// Final punctuation and event time stay in the program.
int32_t Export::batch(uint32_t, const Batch &b, const Punctuation *puncts, uint32_t count) {
  windows.clear();
  for (uint32_t i = 0; i < count; ++i)
    if (puncts[i].kind == PunctuationKind::Window)
      windows.push_back(puncts[i]);
  exporter->send(b, windows);
  if (count && isFinal(puncts[count - 1].kind))
    exporter->finish();
  return 0;
}

int32_t Export::close() {
  if (exporter)
    exporter->finish();
  return 0;
}

RegisterNative registered("spl.adapter::Export",
                          [] { return static_cast<NativeOp *>(new Export); });

} // namespace
} // namespace sluice
