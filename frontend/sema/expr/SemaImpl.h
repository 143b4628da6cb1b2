//===- SemaImpl.h - what the checks of expressions remember -----*- C++ -*-===//
#pragma once
#include "frontend/sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

namespace sluice::sema {

/// The types of a function written in SPL, known before its body is checked.
struct Signature {
  std::vector<Type> typeVars; // of a generic function (toolkit files only)
  std::vector<Type> params;   // may contain type variables
  std::vector<bool> isMutable;
  Type result = nullptr;
};

struct Sema::Impl {
  std::map<const ast::Function *, Signature> signatures;
  /// By what the type variables stand for: a generic function is one for each binding.
  std::map<std::pair<const ast::Function *, std::vector<Type>>, typed::Function *> functions;
  std::map<const ast::Function *, std::shared_ptr<const typed::Prototype>> prototypes;
  /// Prototypes of native functions of toolkits, by what the type variables stand for.
  std::map<std::pair<const typed::Prototype *, std::vector<Type>>,
           std::shared_ptr<const typed::Prototype>>
      nativeInstances;
  /// Called functions whose bodies are still to be checked.
  struct Pending {
    const ast::Function *function;
    const ast::Unit *unit;
    Range use; // the first one
    std::vector<Type> typeArgs;
    typed::Function *typed;
  };
  std::deque<Pending> pending;
  llvm::StringSet<> symbols;
  /// The functions of an analysis without a program.
  std::deque<typed::Function> looseFunctions;

  /// The scopes in which types of files and of composites are resolved.
  std::map<const ast::Unit *, std::unique_ptr<Scope>> fileScopes;
  std::map<const ast::Composite *, std::unique_ptr<Scope>> staticScopes;
  /// Set while a prototype is read: it may mention types that this release does not support.
  bool keepTypes = false;

  /// The collections of the `for` loops around the current statement.
  std::vector<const typed::Expr *> iterated;
  unsigned loopDepth = 0;

  /// Where the attributes of a tuple type are declared.
  std::map<std::pair<Type, std::string>, std::set<std::tuple<uint32_t, uint32_t, uint32_t>>>
      attributePlaces;
  /// Where the value of a formal was used last, by the place of the value: its file, begin, end.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Range> formalUses;
  static auto placeOf(Range r) { return std::tuple(r.file, r.begin, r.end); }
  /// Where the formal stands whose value `e` is; null if `e` is written where it is used.
  const Range *formalUse(const typed::Expr &e) const {
    auto use = formalUses.find(placeOf(e.range));
    return use == formalUses.end() ? nullptr : &use->second;
  }

  /// How often each variable is named where its value is read.
  llvm::DenseMap<const typed::Variable *, unsigned> reads;
};

/// While it lives, the first error in another file than that of `use` gets a note that says what
/// that file is read for.
class ReadFor {
public:
  ReadFor(Diagnostics &, Range use, llvm::StringRef name);

private:
  mlir::ScopedDiagnosticHandler handler;
  bool isNoted = false;
};

/// The types of a function with a body.
const Signature &signatureOf(Sema &, const ast::Function *, const ast::Unit *);
/// The typed function whose type variables stand for `typeArgs`. Its body is checked later, by
/// Sema::checkPendingFunctions. `use` needs it.
typed::Function *functionFor(Sema &, const ast::Function *, const ast::Unit *, Range use,
                             llvm::ArrayRef<Type> typeArgs = {});

} // namespace sluice::sema
