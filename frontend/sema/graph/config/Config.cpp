//===- Config.cpp - config clauses ---------------------------------===//
//
// language.md 9.3. Settings that concern a cluster are checked and then dropped: they do
// not change what a program on one machine does.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
struct Label {
  StringRef name;
  bool onInvocation, onComposite;
  /// bool, int, string, free, or the words that may stand there.
  StringRef value;
};
} // namespace

static const Label labels[] = {
    {"placement", true, true, "free"},
    {"hostPool", false, true, "free"},
    {"defaultPoolSize", false, true, "int"},
    {"restartable", true, true, "free"}, // config/Recovery.cpp checks these three
    {"relocatable", true, true, "free"},
    {"checkpoint", true, true, "free"},
    {"threadedPort", true, false, "free"},
    {"tracing", true, true, "off error warn info debug trace"},
    {"logLevel", true, true, "error warn info debug trace"},
    {"streamViewability", true, true, "free"},
    {"inputTransport", true, true, "TCP LLM_RUM_TCP LLM_RUM_IB"},
    {"outputTransport", true, true, "TCP LLM_RUM_TCP LLM_RUM_IB"},
    {"wrapper", true, true, "console gdb nrgdb sdb valgrind none"},
    {"applicationScope", false, true, "string"},
};

static void checkSetting(Sema &sema, const ast::Setting &setting, const Label &label,
                         Scope &scope) {
  Diagnostics &diags = sema.diags;
  if (label.value == "free")
    return;
  if (setting.values.size() != 1) {
    diags.report(setting.range, Diag::err_config_value, label.name, "one value");
    return;
  }
  const ast::Expr *value = setting.values.front();
  SplType::Kind kind = label.value == "bool"     ? SplType::Boolean
                       : label.value == "int"    ? SplType::Int32
                       : label.value == "string" ? SplType::RString
                                                 : SplType::Error;
  if (kind != SplType::Error) {
    sema.checkExpr(value, scope, sema.types.get(kind));
    return;
  }
  llvm::SmallVector<StringRef> words;
  label.value.split(words, ' ');
  const ast::NameExpr *name = plainName(value);
  auto *member = llvm::dyn_cast<ast::MemberExpr>(value); // Trace.debug
  StringRef word = member ? member->name.text : name ? name->name.text : StringRef();
  if (!llvm::is_contained(words, word) && !word.starts_with("$"))
    diags.report(value->range, Diag::err_config_value, label.name, llvm::join(words, ", "));
}

static void unknownLabel(Diagnostics &diags, const ast::Ident &label, bool onInvocation) {
  auto error = diags.report(label.range, Diag::err_unknown_config, label.text);
  NearNames near(label.text);
  for (const Label &known : labels)
    if (onInvocation ? known.onInvocation : known.onComposite)
      near.offer(known.name);
  diags.noteNear(error, label.range, near);
}

using Take = llvm::function_ref<void(const ast::Setting &)>;

/// `onInvocation`: of an operator or composite. `placement` and `threadedPort` take these settings.
static void checkSettings(Sema &sema, llvm::ArrayRef<ast::Setting> settings, Scope &scope,
                          bool onInvocation, Take placement, Take threadedPort) {
  llvm::StringMap<Range> seen;
  for (const ast::Setting &setting : settings) {
    StringRef name = setting.label.text;
    const Label *label = llvm::find_if(labels, [&](const Label &l) { return l.name == name; });
    bool known =
        label != std::end(labels) && (onInvocation ? label->onInvocation : label->onComposite);
    if (name == "threadedPort" && !threadedPort)
      known = false;
    auto [slot, isNew] = seen.try_emplace(name, setting.label.range);
    if (!known)
      unknownLabel(sema.diags, setting.label, onInvocation);
    else if (!isNew && name != "hostPool")
      sema.diags.report(setting.label.range, Diag::err_config_twice, name);
    else if (name == "threadedPort")
      threadedPort(setting);
    else if (name == "placement")
      placement(setting);
    else
      checkSetting(sema, setting, *label, scope);
  }
}

std::optional<typed::Placement>
GraphSema::checkConfig(Instance &inst, const ast::Invocation &invocation, typed::Operator *op,
                       llvm::ArrayRef<PortView> ports, typed::Recovery &recovery) {
  std::optional<typed::Placement> own;
  auto placement = [&](const ast::Setting &setting) { own = placementOf(*this, inst, setting); };
  auto threadedPort = [&](const ast::Setting &setting) {
    checkThreadedPort(*this, inst, setting, ports, *op);
  };
  checkSettings(sema, invocation.config, *inst.scope, true, placement,
                op ? Take(threadedPort) : Take());
  checkRecoverySettings(*this, inst, invocation.config, recovery);
  return own;
}

void GraphSema::checkCompositeConfig(Instance &inst) {
  auto placement = [&](const ast::Setting &setting) {
    typed::Placement own = placementOf(*this, inst, setting);
    if (!inst.ownPlacement)
      inst.placement = own;
  };
  checkSettings(sema, inst.def.composite->config, *inst.scope, false, placement, nullptr);
  typed::Recovery inside; // what the invocation says comes before
  checkRecoverySettings(*this, inst, inst.def.composite->config, inside);
  if (!inst.ownRecovery.checkpoint && inside.checkpoint)
    inst.recovery.checkpoint = inside.checkpoint;
  if (!inst.ownRecovery.isRestartable && inside.isRestartable)
    inst.recovery.isRestartable = inside.isRestartable;
}
