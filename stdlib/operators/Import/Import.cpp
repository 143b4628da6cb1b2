//===- Import.cpp - spl.adapter::Import -----------------------------------===//
#include "runtime/exec/exchange/Importer.h"
#include "runtime/exec/state/Program.h"
#include "stdlib/native/Params.h"
#include "stdlib/operators/Export/Values.h"

namespace sluice {
namespace {

class Import : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t process() override { return importer->run(); }
  bool opensFirst() const override { return true; }
  bool isDaemon() const override { return !ctx->program->options.exchange; }

private:
  std::string condition(std::string_view name) const;

  std::unique_ptr<Importer> importer;
};

/// The text of a condition. The compiler gives it in pieces; between them are values of the
/// program.
std::string Import::condition(std::string_view name) const {
  std::string text;
  const Param *given = param(name);
  for (size_t i = 0; given && i < given->values.size(); ++i) {
    const auto &[type, value] = given->values[i];
    exchange::Owned owned = exchange::ownedOf(type, static_cast<const char *>(value));
    std::vector<exchange::Value> elements;
    text += i % 2 ? literalOf(exchange::valueOf(owned, elements)) : owned.text;
  }
  return text;
}

int32_t Import::open() {
  exchange::Wish wish;
  wish.scope = text("applicationScope", exchange::kUsualScope);
  std::string subscription = condition("subscription"), filter = condition("filter");
  exchange::Condition parsed;
  if (param("streamId")) {
    wish.id = text("streamId", "");
    wish.application = text("applicationName", "");
  } else if (std::string problem = parsed.parse(subscription); !problem.empty()) {
    return sl_error(ctx, "the subscription `%s` cannot be read: %s", subscription.c_str(),
                    problem.c_str());
  }
  if (std::string problem = parsed.parse(filter); !problem.empty())
    return sl_error(ctx, "the filter `%s` cannot be read: %s", filter.c_str(), problem.c_str());
  if (ctx->program->clock.isVirtual() && !isDaemon())
    return sl_error(ctx, "virtual time does not pass in other programs: --clock=virtual needs "
                         "--exchange=off");
  importer = std::make_unique<Importer>(*this, std::move(wish), subscription, filter);
  return 0;
}

RegisterNative registered("spl.adapter::Import",
                          [] { return static_cast<NativeOp *>(new Import); });

} // namespace
} // namespace sluice
