//===- MainSelection.cpp - which composite is the program -----------------===//
#include "frontend/sema/MainSelection.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

/// Why a composite cannot be the main one; empty if it can.
static std::string whyNotMain(const ast::Composite *composite) {
  if (!composite->inputs.empty() || !composite->outputs.empty())
    return "it has ports";
  for (const ast::Formal &formal : composite->formals)
    if (!formal.hasDefault)
      return ("its parameter `" + formal.name.text + "` has no default").str();
  return "";
}

std::optional<OperatorDef> MainSelection::select(StringRef wanted) {
  return wanted.empty() ? only() : named(wanted);
}

std::optional<OperatorDef> MainSelection::named(StringRef wanted) {
  bool isQualified = wanted.contains("::");
  auto [ns, name] = isQualified ? wanted.split("::") : std::pair(StringRef(), wanted);
  // A bare name is in the namespace of this file, or in the default namespace.
  std::vector<OperatorDef> defs = find(isQualified ? ns.str() : unit->ns.str(), name);
  if (defs.empty() && !isQualified)
    defs = find("", name);
  for (const OperatorDef &def : defs)
    if (def.composite)
      return usable(def);
  reportNone(wanted, name);
  return std::nullopt;
}

/// The command line is wrong, so no place in the file is.
void MainSelection::reportNone(StringRef wanted, StringRef name) {
  auto error = diags.report(Range(), Diag::err_no_main_named, wanted);
  NearNames near(name);
  std::vector<std::string> names;
  for (const ast::Composite *composite : unit->composites) {
    names.push_back(("`" + composite->name.text + "`").str());
    if (whyNotMain(composite).empty())
      near.offer(composite->name.text);
  }
  diags.noteNear(error, Range(), near);
  if (!candidates().empty())
    noteCandidates(error);
  else if (!names.empty())
    diags.note(error, Range(), Diag::note_composites, diags.path(unit->file),
               llvm::join(names, ", "));
}

std::vector<OperatorDef> MainSelection::find(StringRef ns, StringRef name) {
  if (!ns.empty())
    return modules.findOperators(unit, ns, name);
  std::vector<OperatorDef> result;
  for (const OperatorDef &def : modules.findOperators(unit, "", name))
    if (def.ns.empty())
      result.push_back(def);
  return result;
}

/// Those that can be the main one; those with a graph if there are any.
std::vector<const ast::Composite *> MainSelection::candidates() const {
  std::vector<const ast::Composite *> usableHere, withGraph;
  for (const ast::Composite *composite : unit->composites)
    if (whyNotMain(composite).empty()) {
      usableHere.push_back(composite);
      if (!composite->graph.empty())
        withGraph.push_back(composite);
    }
  return withGraph.empty() ? usableHere : withGraph;
}

bool MainSelection::isClear() const { return candidates().size() == 1; }

std::optional<OperatorDef> MainSelection::only() {
  std::vector<const ast::Composite *> list = candidates();
  auto main = llvm::find_if(unit->composites, [](auto *c) { return c->name.text == "Main"; });
  if (main != unit->composites.end() && list.size() != 1)
    return usable({*main, nullptr, unit, unit->ns.str()});
  if (list.size() == 1)
    return OperatorDef{list.front(), nullptr, unit, unit->ns.str()};
  for (auto [i, composite] : llvm::enumerate(list)) // it was reported that they have one name
    for (const ast::Composite *other : llvm::ArrayRef(list).take_front(i))
      if (other->name.text == composite->name.text)
        return std::nullopt;
  if (list.empty() && unit->composites.size() == 1)
    return usable({unit->composites.front(), nullptr, unit, unit->ns.str()});
  auto error = diags.report(Range{unit->file, 0, 0},
                            list.empty() ? Diag::err_no_main : Diag::err_several_mains);
  noteCandidates(error);
  return std::nullopt;
}

std::optional<OperatorDef> MainSelection::usable(const OperatorDef &def) {
  std::string why = whyNotMain(def.composite);
  if (why.empty())
    return def;
  diags.report(def.composite->name.range, Diag::err_bad_main, def.composite->name.text, why);
  return std::nullopt;
}

void MainSelection::noteCandidates(mlir::InFlightDiagnostic &error) {
  for (const ast::Composite *composite : unit->composites)
    if (whyNotMain(composite).empty())
      diags.note(error, composite->name.range, Diag::note_main_candidate, composite->name.text);
}
