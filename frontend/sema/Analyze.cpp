//===- Analyze.cpp - from one file to a typed program -----------------------===//
#include "frontend/diagnostics/Spelling.h"
#include "frontend/sema/CausesFirst.h"
#include "frontend/sema/ExpansionDiagnostics.h"
#include "frontend/sema/MainSelection.h"
#include "frontend/sema/graph/program/Loops.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// Reports names of one file that clash (language.md 3.3, 8.5).
class UnitNames {
public:
  explicit UnitNames(Sema &sema) : sema(sema), diags(sema.diags) {}

  void run(const ast::Unit *unit) {
    llvm::StringMap<Range> composites, types, members;
    for (const ast::Composite *composite : unit->composites)
      once(composites, composite->name, Diag::err_composite_twice);
    for (const ast::TypeAlias *alias : unit->types) {
      if (!once(types, alias->name, Diag::err_type_twice))
        for (const ast::TypeAlias *other : unit->types)
          if (other->name.text == alias->name.text)
            sema.suspicions.doubt(Doubt::DefinedTwice, Subject::of(other));
      if (alias->type->kind == ast::TypeKind::Enum)
        for (auto [i, member] : llvm::enumerate(alias->type->members)) {
          auto isSame = [&](const ast::Ident &other) { return other.text == member.text; };
          if (llvm::none_of(llvm::ArrayRef(alias->type->members).take_front(i), isSame) &&
              !once(members, member, Diag::err_enum_member_twice))
            sema.suspicions.doubt(Doubt::SharedMember, Subject::called(member.text));
        }
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
  /// False if the name was there before, which is reported.
  bool once(llvm::StringMap<Range> &seen, const ast::Ident &name, Diag id) {
    auto [slot, isNew] = seen.try_emplace(name.text, name.range);
    if (isNew)
      return true;
    auto error = diags.report(name.range, id, name.text);
    diags.note(error, slot->second, Diag::note_previous_here);
    return false;
  }
  Sema &sema;
  Diagnostics &diags;
};
/// Whether a file has a text in quotes.
bool isQuoted(const Diagnostics &diags, StringRef text) {
  for (uint32_t file = 1; file <= diags.files(); ++file)
    if (diags.text(file).contains(("\"" + text + "\"").str()))
      return true;
  return false;
}

/// Warns of compile-time values that were given and that the program, all of which was checked,
/// does not ask for. A name in quotes may be asked for in what the program does not use.
void warnUnasked(const Sema &sema, const FrontendOptions &options) {
  llvm::StringSet<> reported;
  for (const auto &[name, value] : options.compileTimeValues) {
    if (sema.askedValues.contains(name) || isQuoted(sema.diags, name) ||
        !reported.insert(name).second)
      continue;
    auto warning = sema.diags.report(Range(), Diag::warn_unasked_value, name);
    NearNames near(name);
    near.offerKeys(sema.askedValues);
    sema.diags.noteNear(warning, Range(), near);
  }
}
} // namespace

std::unique_ptr<typed::Program> sluice::analyze(ASTContext &ast, TypeContext &types,
                                                Diagnostics &diags, ast::Unit *unit,
                                                const FrontendOptions &options) {
  unsigned before = diags.errors(), shown = diags.shownErrors();
  CausesFirst order(diags, unit->file);
  auto program = std::make_unique<typed::Program>();
  Sema sema(ast, types, diags, options);
  ModuleTable modules(ast, types, diags, sema.suspicions, options, unit);
  sema.modules = &modules;
  sema.program = program.get();
  program->applicationDir = modules.applicationDir();

  UnitNames(sema).run(unit);
  modules.checkUses();
  GraphSema graph(sema, modules);
  ExpansionDiagnostics expansion(diags, graph);
  MainSelection selection(diags, modules, unit);
  bool isEmpty = unit->composites.empty() && unit->functions.empty() && unit->types.empty() &&
                 unit->ns.parts.empty(); // a file may hold the documentation of its namespace
  bool isProgram = !options.anyFile || !options.main.empty() || isEmpty || selection.isClear();
  if (isProgram)
    if (auto main = selection.select(options.main))
      graph.run(*main);
  sema.checkPendingFunctions();
  sema.checkUnitFunctions(unit);
  modules.checkUses();
  if (diags.errors() == before)
    checkLoops(diags, *program);
  if (options.anyFile) {
    graph.checkOthers(unit);
    sema.checkPendingFunctions();
  }
  modules.reportMissing();
  if (isProgram && !isEmpty && diags.errors() == before)
    warnUnasked(sema, options);
  return diags.shownErrors() == shown ? std::move(program) : nullptr;
}
