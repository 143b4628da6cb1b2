//===- Conflicts.cpp - conflicting uses in one expression -*- C++ -*-===//
//
// What an expression writes it may not read or write elsewhere (language.md
// 4.2): so the order of evaluation cannot be observed.
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
  const void *var = nullptr;
  unsigned port = 0;
  llvm::SmallVector<int, 4> steps;

  explicit PlacePath(const typed::Expr &e) {
    const typed::Expr *at = &e;
    for (; at->kind == TK::Field || at->kind == TK::Index || at->kind == TK::Slice;
         at = at->args[0].get())
      steps.insert(steps.begin(), at->kind == TK::Field ? int(at->index) : -1);
    var = at->kind == TK::Var ? at->var : nullptr;
    port = at->port;
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
  std::vector<Range> statefulCalls;
  bool anyWrite = false;

  void visit(const typed::Expr *e) {
    if (!e)
      return;
    if (isPlace(*e)) {
      place(*e, false);
      return;
    }
    switch (e->kind) {
    case TK::Assign:
      place(*e->args[0], true);
      visit(e->args[1].get());
      return;
    case TK::IncDec:
      place(*e->args[0], true);
      return;
    case TK::Call:
    case TK::Native:
      call(*e);
      return;
    default:
      for (const ExprPtr &arg : e->args)
        visit(arg.get());
    }
  }
  /// The subscripts in the path of a place, not the place itself.
  void visitSubscripts(const typed::Expr &e) {
    if (e.kind != TK::Field && e.kind != TK::Index && e.kind != TK::Slice)
      return;
    visitSubscripts(*e.args[0]);
    for (const ExprPtr &arg : llvm::drop_begin(e.args))
      visit(arg.get());
  }

private:
  static bool isPlace(const typed::Expr &e) {
    const typed::Expr *root = rootOf(e);
    return root->kind == TK::Var || root->kind == TK::Tuple;
  }
  void place(const typed::Expr &e, bool isWrite) {
    visitSubscripts(e);
    accesses.push_back({PlacePath(e), isWrite, e.range});
    anyWrite |= isWrite;
  }
  void call(const typed::Expr &e) {
    bool isStateful = e.proto ? e.proto->isStateful : e.callee->isStateful;
    if (isStateful)
      statefulCalls.push_back(e.range);
    for (unsigned i = 0; i < e.args.size(); ++i) {
      if (isMutableArg(e, i))
        place(*e.args[i], true);
      else
        visit(e.args[i].get());
    }
  }
};
} // namespace

bool sema::isMutableArg(const typed::Expr &call, unsigned i) {
  if (call.proto)
    return i < call.proto->isMutable.size() && call.proto->isMutable[i];
  const auto &params = call.callee->params;
  return i < params.size() && params[i]->isMutable;
}

bool sema::mayAlias(const typed::Expr &a, const typed::Expr &b) {
  return PlacePath(a).aliases(PlacePath(b));
}

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
  if (e.kind == TK::Assign) {
    // The two sides of a statement's assignment are examined separately.
    Collector target;
    target.visitSubscripts(*e.args[0]);
    checkConflicts(sema, target);
    whole.visit(e.args[1].get());
  } else {
    whole.visit(&e);
  }
  checkConflicts(sema, whole);
  if (whole.statefulCalls.size() > 1) {
    auto d = sema.diags.report(whole.statefulCalls[1], Diag::warn_stateful_twice);
    sema.diags.note(d, whole.statefulCalls[0], Diag::note_previous_here);
  }
}
