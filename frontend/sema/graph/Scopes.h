//===- Scopes.h - what names mean inside an invocation -------------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/Instance.h"

namespace sluice::sema {

/// Makes the scopes in which the text of composites and operators is checked, and owns them.
class Scopes {
public:
  Scope &newScope(Scope *parent, const Place *place = nullptr);
  Place &newPlace(Place::Kind);
  /// A scope for text of an operator: the ports in `visible` (indices into `ports`) have
  /// a current tuple, the others only a number.
  Scope &placeScope(Scope &parent, const Place &, Instance &, llvm::ArrayRef<PortView> ports,
                    llvm::ArrayRef<unsigned> visible);
  /// The name of a port is the type of its tuples, too.
  void enterAliases(Scope &, llvm::ArrayRef<PortView>);
  /// Enters the formals of `inst` into `scope`, so that actuals see the current
  /// tuples of the operator that uses them.
  void bindFormals(Scope &scope, Instance &inst, llvm::ArrayRef<PortView> ports,
                   llvm::ArrayRef<unsigned> visible);

private:
  std::deque<Scope> scopes;
  std::deque<Place> places;
};

/// What the name means in a scope or in those around it; null: nothing.
const Entity *findEntity(Scope &, llvm::StringRef name);
/// Follows `$formal` to the expressions it stands for; `scope` changes along.
std::vector<const ast::Expr *> expandActual(const ast::Actual &, Scope *&scope);

} // namespace sluice::sema
