//===- PrintJob.cpp - the PEs of a program as JSON ------------------------===//
#include "runtime/exec/run/PrintJob.h"
#include "runtime/base/text/Json.h"
#include "runtime/exec/checkpoint/Consistency.h"
#include "runtime/exec/state/Cut.h"
#include "runtime/exec/table/Pes.h"
#include "runtime/exec/table/Structure.h"
#include "runtime/remote/frame/Schema.h"
#include <cstdio>

namespace sluice {

namespace {
/// 1: the first.
constexpr int kFormat = 1;

class Printer {
public:
  Printer(const ProgramDesc &templates, const std::vector<uint32_t> &widths,
          const RunOptions &options)
      : templates(templates), widths(widths), options(options), instances(templates, widths),
        pes(instances) {}
  int print();

private:
  void values();
  void regions();
  void consistency(const std::vector<ConsistentRegion> &);
  void pe(uint32_t number);
  void link(uint32_t receiver);

  const ProgramDesc &templates;
  const std::vector<uint32_t> &widths;
  const RunOptions &options;
  const Instances instances;
  const Pes pes;
  Json json{Json::Style::Indented};
};
} // namespace

static std::string hex(uint64_t number) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// What is secret is not shown.
void Printer::values() {
  json.open("values", '{');
  for (uint32_t i = 0; i < templates.submissionCount; ++i)
    json.text(templates.submissions[i].name, options.shown[i]);
  json.close();
}

void Printer::regions() {
  json.open("regions", '[');
  for (uint32_t i = 0; i < templates.regionCount; ++i) {
    json.openElement('{', /*flat=*/true);
    json.text("path", templates.regions[i].path);
    json.number("width", widths[i]);
    json.close();
  }
  json.close();
}

/// The shortest period of all regions, as they are cut together.
void Printer::consistency(const std::vector<ConsistentRegion> &consistent) {
  if (consistent.empty())
    return json.null("consistent");
  ConsistentRegion all = consistent.front();
  for (const ConsistentRegion &each : consistent) {
    all.period = std::min(all.period, each.period);
    all.drainTimeout = std::min(all.drainTimeout, each.drainTimeout);
    all.resetAttempts = std::max(all.resetAttempts, each.resetAttempts);
  }
  json.open("consistent", '{', /*flat=*/true);
  json.number("period", all.period);
  json.number("drainTimeout", all.drainTimeout);
  json.number("resetAttempts", all.resetAttempts);
  json.close();
}

void Printer::pe(uint32_t number) {
  json.openElement('{');
  json.number("pe", number);
  json.open("operators", '[');
  for (uint32_t op = 0; op < instances.desc.operatorCount; ++op) {
    const OperatorDesc &desc = instances.desc.operators[op];
    if (desc.link >= 0 || pes.of(op) != number)
      continue;
    json.openElement('{', /*flat=*/true);
    json.text("name", desc.name);
    json.text("kind", desc.kind);
    json.close();
  }
  json.close();
  json.close();
}

void Printer::link(uint32_t receiver) {
  const OperatorDesc &op = instances.desc.operators[receiver];
  json.openElement('{', /*flat=*/true);
  json.number("receiver", receiver);
  json.text("name", op.name);
  json.number("to", pes.of(receiver));
  json.open("from", '[', /*flat=*/true);
  for (uint32_t sender : pes.sendersTo(receiver))
    json.element(sender);
  json.close();
  json.text("schema", hex(remote::schemaOf(instances.desc.outPorts[op.firstOut]).hash));
  json.close();
}

int Printer::print() {
  std::vector<ConsistentRegion> consistent;
  if (int code = checkpoint::findRegions(templates, options.values, consistent))
    return code;
  json.openElement('{');
  json.number("format", kFormat);
  json.text("program", templates.mainName);
  json.text("hash", hex(structureHash(templates.peCount ? instances.desc : templates)));
  values();
  regions();
  consistency(consistent);
  json.open("pes", '[');
  for (uint32_t i = 0; i < pes.count(); ++i)
    pe(i);
  json.close();
  json.open("links", '[');
  for (uint32_t op = 0; op < instances.desc.operatorCount; ++op)
    if (instances.desc.operators[op].link >= 0 && !instances.desc.operators[op].inputs)
      link(op);
  json.close();
  json.close();
  std::string text = std::move(json).finish();
  return fwrite(text.data(), 1, text.size(), stdout) == text.size() && !fflush(stdout) ? 0 : 1;
}

int printJob(const ProgramDesc &desc, const std::vector<uint32_t> &widths,
             const RunOptions &options) {
  return Printer(desc, widths, options).print();
}

} // namespace sluice
