//===- Analyze.cpp - from one file to a typed program -----------------------===//
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/Loops.h"
#include <set>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// Composites are checked once per instance: an error that was reported before
/// is dropped, and one inside an expansion gets the trail of its invocations.
class ExpansionDiagnostics {
public:
  ExpansionDiagnostics(Diagnostics &diags, const GraphSema &graph) : diags(diags), graph(graph) {
    id = diags.context()->getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { return handle(d); });
  }
  ~ExpansionDiagnostics() { diags.context()->getDiagEngine().eraseHandler(id); }

private:
  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic) {
    if (!seen.insert({diagnostic.getLocation().getAsOpaquePointer(), diagnostic.str()}).second)
      return mlir::success();
    for (const Instance *inst : llvm::reverse(graph.trail()))
      if (inst->at)
        diagnostic.attachNote(diags.location(inst->at->op.range))
            << llvm::formatv(Diagnostics::text(Diag::note_expansion),
                             inst->def.composite->name.text)
                   .str();
    return mlir::failure(); // printed by the next handler
  }

  Diagnostics &diags;
  const GraphSema &graph;
  mlir::DiagnosticEngine::HandlerID id;
  std::set<std::pair<const void *, std::string>> seen;
};

/// What keeps a composite from being a program; empty: nothing.
std::string whyNotMain(const ast::Composite *composite) {
  if (!composite->inputs.empty() || !composite->outputs.empty())
    return "it has ports";
  for (const ast::Formal &formal : composite->formals)
    if (!formal.hasDefault)
      return ("its parameter `" + formal.name.text + "` has no default").str();
  return "";
}

class MainSelection {
public:
  MainSelection(Diagnostics &diags, ModuleTable &modules, const ast::Unit *unit)
      : diags(diags), modules(modules), unit(unit) {}

  std::optional<OperatorDef> select(StringRef wanted) {
    return wanted.empty() ? only() : named(wanted);
  }

private:
  std::optional<OperatorDef> named(StringRef wanted) {
    auto [ns, name] =
        wanted.contains("::") ? wanted.split("::") : std::pair(StringRef(unit->ns.str()), wanted);
    std::string ownNs = wanted.contains("::") ? ns.str() : unit->ns.str();
    // A bare name: of this file, or of the default namespace.
    std::vector<OperatorDef> defs = find(ownNs, name);
    if (defs.empty() && !wanted.contains("::"))
      defs = find("", name);
    for (const OperatorDef &def : defs)
      if (def.composite)
        return usable(def);
    auto error = diags.report(Range{unit->file, 0, 0}, Diag::err_no_main_named, wanted);
    candidates(error);
    return std::nullopt;
  }

  std::vector<OperatorDef> find(StringRef ns, StringRef name) {
    if (!ns.empty())
      return modules.findOperators(unit, ns, name);
    std::vector<OperatorDef> result;
    for (const OperatorDef &def : modules.findOperators(unit, "", name))
      if (def.ns.empty())
        result.push_back(def);
    return result;
  }

  std::optional<OperatorDef> only() {
    std::vector<const ast::Composite *> usableHere, withGraph;
    for (const ast::Composite *composite : unit->composites)
      if (whyNotMain(composite).empty()) {
        usableHere.push_back(composite);
        if (!composite->graph.empty())
          withGraph.push_back(composite);
      }
    auto &list = withGraph.empty() ? usableHere : withGraph;
    auto main = llvm::find_if(unit->composites, [](auto *c) { return c->name.text == "Main"; });
    if (main != unit->composites.end() && list.size() != 1)
      return usable({*main, nullptr, unit, unit->ns.str()});
    if (list.size() == 1)
      return OperatorDef{list.front(), nullptr, unit, unit->ns.str()};
    if (list.empty() && unit->composites.size() == 1)
      return usable({unit->composites.front(), nullptr, unit, unit->ns.str()});
    auto error = diags.report(Range{unit->file, 0, 0},
                              list.empty() ? Diag::err_no_main : Diag::err_several_mains);
    candidates(error);
    return std::nullopt;
  }

  std::optional<OperatorDef> usable(const OperatorDef &def) {
    std::string why = whyNotMain(def.composite);
    if (why.empty())
      return def;
    diags.report(def.composite->name.range, Diag::err_bad_main, def.composite->name.text, why);
    return std::nullopt;
  }

  void candidates(mlir::InFlightDiagnostic &error) {
    for (const ast::Composite *composite : unit->composites)
      if (whyNotMain(composite).empty())
        diags.note(error, composite->name.range, Diag::note_main_candidate, composite->name.text);
  }

  Diagnostics &diags;
  ModuleTable &modules;
  const ast::Unit *unit;
};

/// Names of one file that clash (language.md 3.3, 8.5).
class UnitNames {
public:
  explicit UnitNames(Diagnostics &diags) : diags(diags) {}

  void run(const ast::Unit *unit) {
    llvm::StringMap<Range> composites, types, members;
    for (const ast::Composite *composite : unit->composites)
      once(composites, composite->name, Diag::err_composite_twice);
    for (const ast::TypeAlias *alias : unit->types) {
      once(types, alias->name, Diag::err_type_twice);
      if (alias->type->kind == ast::TypeKind::Enum)
        for (const ast::Ident &member : alias->type->members)
          once(members, member, Diag::err_enum_member_twice);
    }
    llvm::StringMap<Range> uses;
    for (const ast::UseDecl &use : unit->uses)
      if (!use.name.text.empty())
        once(uses, use.name, Diag::err_use_twice);
    StringRef first = unit->ns.parts.empty() ? StringRef() : unit->ns.parts.front().text;
    if (first == "spl" || first == "streams")
      diags.report(unit->ns.range, Diag::err_reserved_namespace, first);
  }

private:
  void once(llvm::StringMap<Range> &seen, const ast::Ident &name, Diag id) {
    auto [slot, isNew] = seen.try_emplace(name.text, name.range);
    if (isNew)
      return;
    auto error = diags.report(name.range, id, name.text);
    diags.note(error, slot->second, Diag::note_previous_here);
  }
  Diagnostics &diags;
};
} // namespace

std::unique_ptr<typed::Program> sluice::analyze(ASTContext &ast, TypeContext &types,
                                                Diagnostics &diags, ast::Unit *unit,
                                                const FrontendOptions &options) {
  unsigned before = diags.errors();
  auto program = std::make_unique<typed::Program>();
  Sema sema(ast, types, diags, options);
  ModuleTable modules(ast, types, diags, options, unit);
  sema.modules = &modules;
  sema.program = program.get();
  program->applicationDir = modules.applicationDir();

  UnitNames(diags).run(unit);
  for (const ast::UseDecl &use : unit->uses) {
    std::string ns = use.path.str();
    if (modules.namespaceExists(ns))
      continue;
    if (llvm::StringRef(ns).starts_with("spl.")) // only the standard toolkit has these
      diags.report(use.path.range, Diag::err_not_supported, "namespace `" + ns + "`");
    else
      diags.report(use.path.range, Diag::warn_unknown_namespace, ns);
  }
  GraphSema graph(sema, modules);
  ExpansionDiagnostics expansion(diags, graph);
  if (auto main = MainSelection(diags, modules, unit).select(options.main))
    graph.run(*main);
  sema.checkPendingFunctions();
  sema.checkUnitFunctions(unit);
  if (diags.errors() == before)
    checkLoops(diags, *program);
  return diags.errors() == before ? std::move(program) : nullptr;
}
