//===- Conflicts.cpp - conflicting uses in one expression -*- C++ -*-===//
//
// An expression that writes a place may not read or write it elsewhere (language.md
// 4.2). So a program cannot observe the order of evaluation.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;

//===--- paths ------------------------------------------------------------===//

namespace {
/// A root and the steps down from it: attribute positions, or -1 for any
/// subscript.
struct PlacePath {
  const typed::Variable *var = nullptr; // null: a tuple of `port`, the current one or before
  unsigned port = 0;
  llvm::SmallVector<int, 4> steps;

  explicit PlacePath(const typed::Expr &e) {
    const typed::Expr *at = &e;
    for (const typed::Expr *base; (base = baseOf(*at)); at = base) {
      auto *field = llvm::dyn_cast<typed::FieldExpr>(at);
      steps.insert(steps.begin(), field ? int(field->index) : -1);
    }
    if (std::optional<unsigned> ofTuple = tuplePort(*at))
      port = *ofTuple;
    else
      var = llvm::cast<typed::VarExpr>(at)->var;
  }
  bool aliases(const PlacePath &other) const {
    if (var != other.var || (!var && port != other.port))
      return false;
    return llvm::all_of(llvm::zip(steps, other.steps),
                        [](auto pair) { return std::get<0>(pair) == std::get<1>(pair); });
  }
};

struct Access {
  PlacePath path;
  bool isWrite;
  Range range;
};

class Collector {
public:
  std::vector<Access> accesses;
  bool anyWrite = false;

  void visit(const typed::Expr &e) {
    if (hasPlaceRoot(e) || tuplePort(rootOf(e))) {
      place(e, false);
    } else if (auto *assign = llvm::dyn_cast<typed::AssignExpr>(&e)) {
      place(*assign->target, true);
      visit(*assign->value);
    } else if (auto *incDec = llvm::dyn_cast<typed::IncDecExpr>(&e)) {
      place(*incDec->place, true);
    } else if (auto *callExpr = llvm::dyn_cast<typed::AnyCallExpr>(&e)) {
      call(*callExpr);
    } else if (auto *output = llvm::dyn_cast<typed::OutputFnExpr>(&e);
               output && output->proto->facts.isFold) {
      return; // its arguments run at different times
    } else {
      forEachOperand(e, [&](const typed::Expr &operand) { visit(operand); });
    }
  }
  /// The subscripts in the path of a place, not the place itself.
  void visitSubscripts(const typed::Expr &e) {
    const typed::Expr *base = baseOf(e);
    if (!base)
      return;
    visitSubscripts(*base);
    forEachOperand(e, [&](const typed::Expr &operand) {
      if (&operand != base)
        visit(operand);
    });
  }

private:
  void place(const typed::Expr &e, bool isWrite) {
    visitSubscripts(e);
    accesses.push_back({PlacePath(e), isWrite, e.range});
    anyWrite |= isWrite;
  }
  void call(const typed::AnyCallExpr &e) {
    for (unsigned i = 0; i < e.args.size(); ++i) {
      if (e.isMutable(i))
        place(*e.args[i], true);
      else
        visit(*e.args[i]);
    }
  }
};
} // namespace

bool sema::mayAlias(const typed::Expr &a, const typed::Expr &b) {
  return PlacePath(a).aliases(PlacePath(b));
}

//===--- stateful calls ---------------------------------------------------===//

/// Whether the operands are evaluated one behind the other, the later ones perhaps not at all.
static bool isInOrder(const typed::Expr &e) {
  return llvm::isa<typed::LogicalExpr, typed::ConditionalExpr, typed::OrElseExpr,
                   typed::AssignExpr>(e);
}

namespace {
/// The first two stateful calls of which the language does not say which is done first: they are
/// in different operands. A call is done behind those in its arguments.
class StatefulCalls {
public:
  std::optional<Range> first, second;
  explicit StatefulCalls(const typed::Expr &e) { visit(e); }

private:
  /// A stateful call in `e`, if there is one.
  std::optional<Range> visit(const typed::Expr &e) {
    std::optional<Range> found;
    auto *output = llvm::dyn_cast<typed::OutputFnExpr>(&e);
    if (output && output->proto->facts.isFold) // its arguments are checked one by one
      return found;
    forEachOperand(e, [&](const typed::Expr &operand) {
      std::optional<Range> here = visit(operand);
      if (found && here && !isInOrder(e) && !second) {
        first = found;
        second = here;
      }
      found = found ? found : here;
    });
    auto *call = llvm::dyn_cast<typed::AnyCallExpr>(&e);
    return !found && call && call->isStateful() ? std::optional(e.range) : found;
  }
};
} // namespace

//===--- the rule ---------------------------------------------------------===//

static void checkConflicts(Sema &sema, const Collector &found) {
  if (!found.anyWrite)
    return;
  for (unsigned i = 0; i < found.accesses.size(); ++i)
    for (unsigned j = i + 1; j < found.accesses.size(); ++j) {
      const Access &a = found.accesses[i], &b = found.accesses[j];
      if ((!a.isWrite && !b.isWrite) || !a.path.aliases(b.path))
        continue;
      auto d = sema.diags.report(b.range, Diag::err_conflicting_use, sema.diags.text(b.range));
      sema.diags.note(d, a.range, a.isWrite ? Diag::note_written_here : Diag::note_read_here);
      return;
    }
}

void sema::checkEffects(Sema &sema, const typed::Expr &e) {
  Collector whole;
  if (auto *assign = llvm::dyn_cast<typed::AssignExpr>(&e)) {
    // The two sides of a statement's assignment are examined separately.
    Collector target;
    target.visitSubscripts(*assign->target);
    checkConflicts(sema, target);
    whole.visit(*assign->value);
  } else {
    whole.visit(e);
  }
  checkConflicts(sema, whole);
  StatefulCalls calls(e);
  if (calls.second) {
    auto d = sema.diags.report(*calls.second, Diag::warn_stateful_twice);
    sema.diags.note(d, *calls.first, Diag::note_previous_here);
  }
}
